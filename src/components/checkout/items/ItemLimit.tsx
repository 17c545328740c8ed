'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import { fill } from '../../../locales/fill.js'
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

const select = (item: LineItem | undefined, value: CheckoutValue) => {
  const { max, left } = item?.quote.allowance ?? {}
  const { limitLeft } = getMessages(value)
  return {
    max,
    left,
    isOver: left !== undefined && left < (item?.quantity ?? 1),
    sentence: fill(limitLeft, { max, count: left }),
  }
}

/**
 * Renders a `<span>`. Shows how many of a line item one buyer can get, and how many of them were left when it was
 * quoted. Absent if the sale has no such limit.
 */
export function CheckoutItemLimit(props: CheckoutItemLimit.Props): ReactElement | null {
  const { sentence, ...state } = useCheckoutItem('ItemLimit', select)
  const element = useRender('span', 'item-limit', props, state, { children: sentence })
  return state.max === undefined ? null : element
}
