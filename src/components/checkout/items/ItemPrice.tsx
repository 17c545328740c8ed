'use client'

import type { ReactElement } from 'react'
import type { PartProps } from '../../../internal/render.js'
import type { LineItem } from '../../../schema/index.js'
import { type AmountState, sliceAmount, useAmount } from '../price/useAmount.js'
import { useCheckoutItem } from '../RootContext.js'
import type { CheckoutValue } from '../value.js'

export declare namespace CheckoutItemPrice {
  /** State of {@link CheckoutItemPrice}. */
  export type State = AmountState

  /** Props of {@link CheckoutItemPrice}. */
  export type Props = PartProps<'span', CheckoutItemPrice.State>
}

const select = (item: LineItem | undefined, { order }: Pick<CheckoutValue, 'order'>) =>
  sliceAmount(item?.quote.totalPrice, order?.locale)

/** Renders a `<span>`. Shows a line item's price for its whole quantity. */
export function CheckoutItemPrice(props: CheckoutItemPrice.Props): ReactElement {
  return useAmount('item-price', props, useCheckoutItem('ItemPrice', select), {})
}
