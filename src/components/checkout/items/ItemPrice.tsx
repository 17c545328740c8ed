'use client'

import type { ReactElement } from 'react'
import type { PartProps } from '../../../internal/render.js'
import type { LineItem } from '../../../schema/index.js'
import { type AmountState, sliceAmount, useAmount } from '../price/useAmount.js'
import { useCheckoutItem } from '../RootContext.js'
import { type CheckoutValue, getMessages } from '../value.js'

export declare namespace CheckoutItemPrice {
  /** State of {@link CheckoutItemPrice}. */
  export type State = AmountState

  /** Props of {@link CheckoutItemPrice}. */
  export type Props = PartProps<'span', CheckoutItemPrice.State>
}

const select = (item: LineItem | undefined, value: Omit<CheckoutValue, 'nowMs'>) =>
  sliceAmount(
    item?.quote.totalPrice ?? item?.quote.charges?.unit,
    value.order?.locale,
    getMessages(value).free,
  )

/**
 * Renders a `<span>`. Shows a line item's price for its whole quantity, and “Free” for zero. Until the recipient is
 * known, it is the price without tax and shipping.
 */
export function CheckoutItemPrice(props: CheckoutItemPrice.Props): ReactElement {
  return useAmount('item-price', props, useCheckoutItem('ItemPrice', select), {})
}
