'use client'

import type { ReactElement } from 'react'
import { CheckoutField } from './Field.js'
import { getRecipient } from './recipient.js'
import { type OrderFormProps, type OrderFormState, type ToBody, useOrderForm } from './useOrderForm.js'

export declare namespace CheckoutAddressForm {
  /** State of {@link CheckoutAddressForm}. */
  export type State = OrderFormState

  /** Props of {@link CheckoutAddressForm}. */
  export type Props = OrderFormProps
}

const names = ['name', 'line1', 'line2', 'city', 'state', 'postalCode', 'country'] as const

const toBody: ToBody = (get, order) => ({
  recipient: {
    // An edit replaces the recipient, so it repeats the recipient's fields that the order shows. The service
    // keeps the fields that an order never shows.
    ...getRecipient(order),
    physicalAddress: {
      name: get('name'),
      line1: get('line1'),
      line2: get('line2') || undefined,
      city: get('city'),
      state: get('state') || undefined,
      postalCode: get('postalCode') || undefined,
      country: get('country'),
    },
  },
})

/** Renders a `<form>`. Asks for the shipping address. Absent unless the order asks for one. */
export function CheckoutAddressForm(props: CheckoutAddressForm.Props): ReactElement | null {
  return useOrderForm('Address', props, {
    fields: names.map((name) => <CheckoutField key={name} name={name} />),
    toBody,
  })
}
