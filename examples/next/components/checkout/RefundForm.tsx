'use client'

import { Checkout, type Order } from 'kassa'
import styles from './PayView.module.css'

/** Asks where a refund goes that a contract paid, such as an exchange's. Absent unless one waits for that address. */
export function RefundForm({ order }: { order: Order }) {
  if (order.payment.refundHeld?.reason !== 'contract-payer') return null
  return (
    <Checkout.RefundForm className={styles.refund}>
      <Checkout.Field name="refundAddress">
        <Checkout.FieldLabel />
        <Checkout.FieldInput className="field" />
        <Checkout.FieldError />
      </Checkout.Field>
      <Checkout.Submit className="button" data-look="main" />
      <Checkout.Error />
    </Checkout.RefundForm>
  )
}
