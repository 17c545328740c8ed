'use client'

import type { ReactElement } from 'react'
import type { UnknownMember } from '../../../schema/open.js'
import { CheckoutField } from './Field.js'
import { type OrderFormProps, type OrderFormState, type ToBody, useOrderForm } from './useOrderForm.js'

export declare namespace CheckoutEmailForm {
  /** State of {@link CheckoutEmailForm}. */
  export type State = OrderFormState

  /** Props of {@link CheckoutEmailForm}. */
  export type Props = OrderFormProps
}

const toBody: ToBody = (get, order) => {
  const { method = '' as UnknownMember, currency = '', preparation } = order?.payment ?? {}
  const payerAddress = preparation?.payerAddress
  // An edit replaces all of the order's payment fields.
  return { payment: { method, currency, payerAddress, receiptEmail: get('receiptEmail') } }
}

/** Renders a `<form>`. Asks for the receipt's e-mail address. Absent unless the order asks for one. */
export function CheckoutEmailForm(props: CheckoutEmailForm.Props): ReactElement | null {
  return useOrderForm('Email', props, { fields: <CheckoutField name="receiptEmail" />, toBody })
}
