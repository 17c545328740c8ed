'use client'

import type { AnyKassaError, Order } from 'kassa'
import { explainPayment } from '../../lib/explainPayment'
import { Copyable } from './Copyable'
import styles from './PayNotice.module.css'
import { TransactionLink } from './TransactionLink'

/** Says why a payment did not go through, whether money moved, and what to do. */
export function PayNotice({ error, order }: { error: AnyKassaError; order: Order }) {
  const { tone, title, text, prices, txId, detail, isForShop } = explainPayment(error)
  const attemptedAt = error.code === 'pay.uncertain' ? error.context.attemptedAt : undefined
  return (
    <div className={styles.notice} data-tone={tone} role="alert">
      <p className={styles.title}>{title}</p>
      {prices && (
        <p className={styles.prices}>
          <span className="hidden">Before </span>
          <s>{prices.from}</s>
          <span className="hidden">, now</span> <strong>{prices.to}</strong>
        </p>
      )}
      <p>
        {text}
        {attemptedAt && <AskedAt at={attemptedAt} />}
      </p>
      {detail && <p className={styles.detail}>{detail}</p>}
      {txId && (
        <p className={styles.fact}>
          Transaction <TransactionLink txId={txId} chain={order.payment.method} />
        </p>
      )}
      {isForShop && (
        <p className={styles.fact}>
          Tell the shop this order’s number: <Copyable value={order.orderId} what="order number" />
        </p>
      )}
    </div>
  )
}

/** Shows when the wallet was asked, so that the buyer can find the payment in the wallet's list. */
function AskedAt({ at }: { at: string }) {
  const time = new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  return (
    <>
      {' '}
      It was asked at <time dateTime={at}>{time}</time>.
    </>
  )
}
