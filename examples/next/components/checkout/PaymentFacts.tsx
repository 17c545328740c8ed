'use client'

import type { Order } from 'kassa'
import { formatMoney } from '../../lib/money'
import { getChainLabel } from '../../lib/networks'
import { Copyable } from './Copyable'
import styles from './ReceiptView.module.css'
import { TransactionLink } from './TransactionLink'

/** Shows how an order was paid. */
export function PaymentFacts({ order }: { order: Order }) {
  const { payment, orderId } = order
  return (
    <section className={styles.payment} aria-labelledby="paid-title">
      <h2 id="paid-title" className="heading">
        Payment
      </h2>
      <dl className={styles.facts}>
        {payment.received && (
          <div>
            <dt>Paid</dt>
            <dd>{formatMoney(payment.received.amount, payment.received.currency)}</dd>
          </div>
        )}
        {payment.refunded && (
          <div>
            <dt>Sent back</dt>
            <dd>{formatMoney(payment.refunded.amount, payment.refunded.currency)}</dd>
          </div>
        )}
        {payment.method && (
          <div>
            <dt>Network</dt>
            <dd>{getChainLabel(payment.method)}</dd>
          </div>
        )}
        {payment.received?.txId && (
          <div>
            <dt>Transaction</dt>
            <dd>
              <TransactionLink
                txId={payment.received.txId}
                chain={payment.received.chain ?? payment.method}
                plain={<Copyable value={payment.received.txId} what="transaction" />}
              />
            </dd>
          </div>
        )}
        <div>
          <dt>Order</dt>
          <dd>
            <Copyable value={orderId} what="order number" />
          </dd>
        </div>
      </dl>
    </section>
  )
}
