'use client'

import type { ComponentType } from 'react'
import { CheckoutAddressForm } from './forms/AddressForm.js'
import { CheckoutEmailForm } from './forms/EmailForm.js'
import { CheckoutRecipientForm } from './forms/RecipientForm.js'
import { CheckoutRefundForm } from './forms/RefundForm.js'

export { CheckoutPromotionForm } from './forms/PromotionForm.js'
export { CheckoutRecipientForm } from './forms/RecipientForm.js'
export { CheckoutProgress } from './progress/Progress.js'
export { CheckoutReceipt } from './progress/Receipt.js'
export { CheckoutTransactionLink } from './progress/TransactionLink.js'
export { TransferDetails } from './transfer/TransferDetails.js'

/** Renders the form of what the order asks for. */
export function Forms() {
  return (
    <>
      <CheckoutRecipientForm />
      <CheckoutAddressForm />
      <CheckoutEmailForm />
      <CheckoutRefundForm />
    </>
  )
}

/** The components of a panel's states that follow its first paint. */
export type PanelStates = {
  Forms: ComponentType
  CheckoutPromotionForm: ComponentType
  CheckoutRecipientForm: ComponentType<{ isOpen: boolean }>
  CheckoutProgress: ComponentType
  CheckoutReceipt: ComponentType
  CheckoutTransactionLink: ComponentType<{ of: 'payment' | 'refund' }>
  TransferDetails: ComponentType<{ isOnlyWay: boolean }>
}
