'use client'

import { type Order, usePayOrder } from 'kassa'
import type { OrderAccess } from './OrderCheckout'
import styles from './PayBar.module.css'

/**
 * What there is to do while nobody knows whether a payment is on its way: wait, since the page looks for it by
 * itself. Paying again is possible, and does not offer itself.
 */
export function PayAgain({ access, order }: { access: OrderAccess; order: Order }) {
  const { pay } = usePayOrder(access)
  return (
    <>
      <p className={styles.looking}>
        <span className="spinner" aria-hidden="true" />
        Looking for your payment. This page goes on by itself when it is found.
      </p>
      <button
        className={`link ${styles.again}`}
        type="button"
        onClick={() => void pay({ isAgain: true, total: order.quote.totalPrice })}
      >
        My wallet shows no payment: pay again
      </button>
    </>
  )
}
