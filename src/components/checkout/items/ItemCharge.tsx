'use client'

import type { ReactElement } from 'react'
import { getItemCharge } from '../../../order/totals.js'
import type { LineItem } from '../../../schema/index.js'
import { sliceAmount } from '../price/useAmount.js'
import { type ChargeProps, type ChargeState, selectCharges, useCharge } from '../price/useCharge.js'
import { useCheckoutItem } from '../RootContext.js'
import type { CheckoutValue } from '../value.js'

export declare namespace CheckoutItemCharge {
  /** State of {@link CheckoutItemCharge}. */
  export type State = ChargeState

  /** Props of {@link CheckoutItemCharge}. */
  export type Props = ChargeProps
}

const selects = selectCharges(
  (name) =>
    (item: LineItem | undefined, { order }: Pick<CheckoutValue, 'order'>) =>
      sliceAmount(item && getItemCharge(item, name), order?.locale),
)

/**
 * Renders a `<span>`. Shows one charge of a line item: the goods, tax or shipping. Absent if the item has no
 * such charge.
 */
export function CheckoutItemCharge({ of, ...props }: CheckoutItemCharge.Props): ReactElement | null {
  return useCharge('item-charge', props, useCheckoutItem('ItemCharge', selects[of]))
}
