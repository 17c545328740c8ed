'use client'

import { type Order, usePayOrder } from 'kassa'
import { useTranslations } from 'use-intl'
import type { OrderAccess } from './OrderCheckout'
import styles from './PayBar.module.css'

/**
 * Shown while it is uncertain whether a payment is on its way. The page keeps looking for it, so the buyer
 * should wait; paying again is possible but not prominent.
 */
export function PayAgain({ access, order }: { access: OrderAccess; order: Order }) {
  const t = useTranslations('checkout')
  const { pay } = usePayOrder(access)
  return (
    <>
      <p className={styles.looking}>
        <span className="spinner" aria-hidden="true" />
        {t('looking')}
      </p>
      <button
        className={`link ${styles.again}`}
        type="button"
        onClick={() => void pay({ isAgain: true, total: order.quote.totalPrice })}
      >
        {t('payAgain')}
      </button>
    </>
  )
}
