'use client'

import type { ReactElement } from 'react'
import type { PartProps } from '../../../internal/render.js'
import { getTotal } from '../../../order/totals.js'
import { useCheckout } from '../RootContext.js'
import { type CheckoutValue, getCheckoutStage, getMessages } from '../value.js'
import { type AmountState, sliceAmount, useAmount } from './useAmount.js'

export declare namespace CheckoutTotal {
  /** State of {@link CheckoutTotal}. */
  export type State = AmountState & {
    /** Whether this price has expired. */
    isExpired: boolean
  }

  /** Props of {@link CheckoutTotal}. */
  export type Props = PartProps<'span', CheckoutTotal.State>
}

const select = (value: CheckoutValue) => ({
  ...sliceAmount(value.order && getTotal(value.order), value.order?.locale, getMessages(value).free),
  isExpired: getCheckoutStage(value) === 'expired',
})

/**
 * Renders a `<span>`. Shows the order's total, and “Free” for zero. A price with too many digits is rounded up and marked as
 * rounded.
 */
export function CheckoutTotal(props: CheckoutTotal.Props): ReactElement {
  const { isExpired, ...price } = useCheckout('Total', select)
  return useAmount('total', props, price, { isExpired })
}
