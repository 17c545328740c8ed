'use client'

import type { ReactElement } from 'react'
import { isAccount } from './checkField.js'
import { CheckoutField } from './Field.js'
import { type OrderFormProps, type OrderFormState, type ToBody, useOrderForm } from './useOrderForm.js'
import { useOwnWallet } from './useOwnWallet.js'

/** State of {@link CheckoutRecipientForm}. */
export type CheckoutRecipientFormState = OrderFormState

/** Props of {@link CheckoutRecipientForm}. */
export type CheckoutRecipientFormProps = OrderFormProps & {
  /** What it asks for: an e-mail address, that of a wallet, or by default `recipient`, either of them in one field. */
  asksFor?: 'recipient' | 'email' | 'walletAddress' | undefined
}

const toBody: ToBody = (get) => {
  const either = get('recipient')
  const walletAddress = get('walletAddress') || (isAccount(either) && either)
  return { recipient: walletAddress ? { walletAddress } : { email: get('email') || either } }
}

/**
 * Renders a `<form>`. Asks whom the order is for, by one field that takes an e-mail address or that of a wallet; a
 * connected wallet is offered. Absent while the order does not ask for it.
 */
export function CheckoutRecipientForm({
  asksFor = 'recipient',
  ...props
}: CheckoutRecipientFormProps): ReactElement | null {
  return useOrderForm('Recipient', props, toBody, <CheckoutField name={asksFor} />, useOwnWallet())
}
