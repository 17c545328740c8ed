'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import { fill } from '../../../locales/fill.js'
import type { Messages } from '../../../locales/Messages.js'
import type { LineItem } from '../../../schema/index.js'
import { useCheckoutItem } from '../RootContext.js'
import { type CheckoutValue, getMessages } from '../value.js'

export declare namespace CheckoutItemLimit {
  /** State of {@link CheckoutItemLimit}. */
  export type State = {
    /** How many the buyer can get in all. */
    max: number | undefined
    /** How many of them were left when the order was quoted. */
    left: number | undefined
    /** Whether the order asks for more. */
    isOver: boolean
  }

  /** Props of {@link CheckoutItemLimit}. */
  export type Props = PartProps<'span', CheckoutItemLimit.State>
}

/** Says whom a line item is sold to: those on a list, and how many to each buyer. */
const describe = ({ quote: { status, sale, allowance } }: LineItem, messages: Messages): string => {
  const { limitWallet, limitEmail, limitPayer, limitLeft, leftForYou, forList } = messages
  const { wallet, email, payer } = sale?.maxPerBuyer ?? {}
  const limits = [
    wallet !== undefined && fill(limitWallet, { max: wallet }),
    email !== undefined && fill(limitEmail, { max: email }),
    payer !== undefined && fill(limitPayer, { max: payer }),
  ].filter(Boolean)
  const { max, left } = allowance ?? {}
  // If the list keeps the buyer from it, its delivery says so.
  const phase = status === 'item-unavailable' ? undefined : sale?.phase
  return [
    phase?.isForAllowList && fill(forList, { phase: phase.name }),
    ...limits,
    left !== undefined && fill(limits.length ? leftForYou : limitLeft, { max, count: left }),
  ]
    .filter(Boolean)
    .join(' ')
}

const select = (item: LineItem | undefined, value: CheckoutValue) => {
  const { max, left } = item?.quote.allowance ?? {}
  return {
    max,
    left,
    isOver: left !== undefined && left < (item?.quantity ?? 1),
    sentence: item ? describe(item, getMessages(value)) : '',
  }
}

/**
 * Renders a `<span>`. Shows whom a line item is sold to: the phase that is for an allow-list, how many one wallet,
 * e-mail address or paying account can get, and how many were left for the buyer when it was quoted. Absent if the
 * sale has no such rule.
 */
export function CheckoutItemLimit(props: CheckoutItemLimit.Props): ReactElement | null {
  const { sentence, ...state } = useCheckoutItem('ItemLimit', select)
  const element = useRender('span', 'item-limit', props, state, { children: sentence })
  return sentence ? element : null
}
