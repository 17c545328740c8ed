'use client'

import type { ReactElement } from 'react'
import { getCharge } from '../../../order/totals.js'
import { useCheckout } from '../RootContext.js'
import type { CheckoutValue } from '../value.js'
import { sliceAmount } from './useAmount.js'
import { type ChargeProps, type ChargeState, selectCharges, useCharge } from './useCharge.js'

export declare namespace CheckoutCharge {
  /** State of {@link CheckoutCharge}. */
  export type State = ChargeState

  /** Props of {@link CheckoutCharge}. */
  export type Props = ChargeProps
}

const selects = selectCharges(
  (name) =>
    ({ order }: CheckoutValue) =>
      sliceAmount(order && getCharge(order, name), order?.locale),
)

/**
 * Renders a `<span>`. Shows one charge of the whole order: the goods, tax, shipping or the discount of a promotion
 * code. Absent if the order has no such charge.
 */
export function CheckoutCharge({ of, ...props }: CheckoutCharge.Props): ReactElement | null {
  return useCharge('charge', props, useCheckout('Charge', selects[of]))
}
