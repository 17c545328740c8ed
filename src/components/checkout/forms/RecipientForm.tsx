'use client'

import type { ReactElement } from 'react'
import { useCheckout } from '../RootContext.js'
import type { CheckoutValue } from '../value.js'
import { isAccount } from '../wallet/accounts.js'
import { useOwnWallet } from '../wallet/useOwnWallet.js'
import { CheckoutField } from './Field.js'
import { type OrderFormProps, type OrderFormState, type ToBody, useOrderForm } from './useOrderForm.js'

export declare namespace CheckoutRecipientForm {
  /** State of {@link CheckoutRecipientForm}. */
  export type State = OrderFormState

  /** Props of {@link CheckoutRecipientForm}. */
  export type Props = OrderFormProps & {
    /**
     * What to ask for: an e-mail address, a wallet address, or by default `recipient`, one field that takes
     * either.
     */
    asksFor?: 'recipient' | 'email' | 'walletAddress' | undefined
  }
}

const toBody: ToBody = (get) => {
  const either = get('recipient')
  const walletAddress = get('walletAddress') || (isAccount(either) && either)
  return { recipient: walletAddress ? { walletAddress } : { email: get('email') || either } }
}

const select = ({ order }: CheckoutValue) => ({ chain: order?.lineItems[0]?.chain })

/**
 * Renders a `<form>`. Asks for the order's recipient in one field that takes an e-mail or a wallet address.
 * It offers the connected wallet. Absent unless the order asks for a recipient.
 */
export function CheckoutRecipientForm({
  asksFor = 'recipient',
  ...props
}: CheckoutRecipientForm.Props): ReactElement | null {
  const { chain } = useCheckout('RecipientForm', select)
  return useOrderForm('Recipient', props, {
    fields: <CheckoutField name={asksFor} />,
    toBody,
    ownWallet: useOwnWallet(chain),
  })
}
