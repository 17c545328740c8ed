'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import { fill } from '../../../locales/fill.js'
import type { LineItem } from '../../../schema/index.js'
import { useCheckoutItem } from '../RootContext.js'
import { type CheckoutValue, getMessages } from '../value.js'

export declare namespace CheckoutItemStock {
  /** State of {@link CheckoutItemStock}. */
  export type State = {
    /** How many of the item were left when it was quoted. */
    available: number | undefined
    /** Whether the order asks for more. */
    isShort: boolean
  }

  /** Props of {@link CheckoutItemStock}. */
  export type Props = PartProps<'span', CheckoutItemStock.State>
}

const select = (item: LineItem | undefined, value: CheckoutValue) => {
  const { available } = item?.quote ?? {}
  const { itemsLeft, itemUnavailable } = getMessages(value)
  return {
    available,
    isShort: available !== undefined && available < (item?.quantity ?? 1),
    sentence: available === 0 ? itemUnavailable : fill(itemsLeft, { count: available }),
  }
}

/**
 * Renders a `<span>`. Shows how many of a line item's edition were left when it was quoted. Absent if the
 * supply has no limit.
 */
export function CheckoutItemStock(props: CheckoutItemStock.Props): ReactElement | null {
  const { sentence, ...state } = useCheckoutItem('ItemStock', select)
  const element = useRender('span', 'item-stock', props, state, { children: sentence })
  return state.available === undefined ? null : element
}
