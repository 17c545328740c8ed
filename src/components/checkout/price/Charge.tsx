'use client'

import type { ReactElement } from 'react'
import { getCharge } from '../../../order/totals.js'
import { useCheckout } from '../RootContext.js'
import type { CheckoutValue } from '../value.js'
import { sliceAmount } from './useAmount.js'
import { type ChargeProps, type ChargeState, selectCharges, useCharge } from './useCharge.js'

/** State of {@link CheckoutCharge}. */
export type CheckoutChargeState = ChargeState

/** Props of {@link CheckoutCharge}. */
export type CheckoutChargeProps = ChargeProps

const selects = selectCharges(
  (name) =>
    ({ order }: CheckoutValue) =>
      sliceAmount(order && getCharge(order, name), order?.locale),
)

/**
 * Renders a `<span>`. Shows one charge of the whole order: the goods, tax or shipping. Absent if the order
 * has no such charge.
 */
export function CheckoutCharge({ of, ...props }: CheckoutChargeProps): ReactElement | null {
  return useCharge('charge', props, useCheckout('Charge', selects[of]))
}
