'use client'

import type { ReactElement } from 'react'
import { useCheckout } from '../RootContext.js'
import type { CheckoutValue } from '../value.js'
import { CheckoutField } from './Field.js'
import { type OrderFormProps, type OrderFormState, type ToBody, useOrderForm } from './useOrderForm.js'

export declare namespace CheckoutRefundForm {
  /** State of {@link CheckoutRefundForm}. */
  export type State = OrderFormState

  /** Props of {@link CheckoutRefundForm}. */
  export type Props = OrderFormProps
}

const toBody: ToBody = (get) => ({ payment: { refundAddress: get('refundAddress') } })

const select = ({ order }: CheckoutValue) => ({
  isOpen: order?.payment.refundHeld?.reason === 'contract-payer',
})

/**
 * Renders a `<form>`. Asks where a refund goes that a contract paid, such as an exchange's. Absent unless a refund waits
 * for that address.
 */
export function CheckoutRefundForm({ isOpen, ...props }: CheckoutRefundForm.Props): ReactElement | null {
  const slice = useCheckout('RefundForm', select)
  return useOrderForm(
    'Refund',
    { ...props, isOpen: isOpen ?? slice.isOpen },
    { fields: <CheckoutField name="refundAddress" />, toBody },
  )
}
