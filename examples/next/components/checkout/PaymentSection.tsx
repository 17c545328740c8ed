'use client'

import type { Order } from 'kassa'
import type { BuyerDetails } from '../../lib/useBuyerDetails'
import { CurrencyChoice } from './CurrencyChoice'
import styles from './PayView.module.css'

/** Shows the currency in which the order is paid. */
export function PaymentSection(props: { order: Order; details: BuyerDetails; isLocked: boolean }) {
  return (
    <section className={styles.section} aria-labelledby="payment-title">
      <h2 id="payment-title" className="heading">
        Payment
      </h2>
      <CurrencyChoice {...props} />
    </section>
  )
}
