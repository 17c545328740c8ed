'use client'

import { Checkout, type Order } from 'kassa'
import { useTranslations } from 'use-intl'
import bar from './PayBar.module.css'
import styles from './PayNotice.module.css'
import { TransactionLink } from './TransactionLink'

/**
 * Says that a payment from another device did not match the order, and that the money goes back. It stands where the
 * pay button is for a buyer with a connected wallet, so that it is in view on a phone.
 */
export function ReturnedPayment({ order }: { order: Order }) {
  const { received, refunded, refundHeld, refundClaimable } = order.payment
  const isReturning = received && !refundClaimable
  if (!refunded && !refundHeld && !isReturning) return null
  return (
    <div className={bar.bar}>
      <div className={styles.notice}>
        <Checkout.Status aria-live="off" />
        <RefundLink order={order} />
      </div>
    </div>
  )
}

/** Links the transaction that sent money back to the buyer. */
export function RefundLink({ order: { payment } }: { order: Order }) {
  const t = useTranslations('common')
  const { txId, chain = payment.method } = payment.refunded ?? {}
  if (!txId) return null
  return (
    <p className={styles.fact}>
      {t.rich('transaction', { link: () => <TransactionLink txId={txId} chain={chain} /> })}
    </p>
  )
}
