'use client'

import { Checkout } from 'kassa'
import styles from './Summary.module.css'

/** What is being bought and what it costs. */
export function Summary() {
  return (
    <aside className={styles.summary} aria-labelledby="summary-title">
      <h2 id="summary-title" className="heading">
        Your order
      </h2>
      <Items />
      <p className={styles.total}>
        <span>Total</span>
        <Checkout.Total
          className={styles.amount}
          children={({ amount, currency }) => <Price amount={amount} currency={currency} />}
        />
      </p>
      <p className={styles.expiry}>
        <Checkout.Expiry
          render={(props, { isExpired }) =>
            isExpired ? (
              <span>This price has run out.</span>
            ) : (
              <span>
                Price held for <time {...props} />
              </span>
            )
          }
        />
      </p>
    </aside>
  )
}

function Price({ amount, currency }: { amount: string | undefined; currency: string | undefined }) {
  if (amount === undefined || currency === undefined) return 'Shown once a wallet is connected'
  return `${amount}\u00a0${currency.toUpperCase()}`
}

/** The line items with their pictures and how far each is on its way. */
export function Items({ hasDelivery = false }: { hasDelivery?: boolean }) {
  return (
    <Checkout.Items className={styles.items}>
      <Checkout.Item className={styles.item}>
        <span className={styles.frame}>
          <Checkout.ItemImage alt="" />
        </span>
        <span className={styles.what}>
          <Checkout.ItemName className={styles.name} />
          <Checkout.ItemQuantity className="small soft" />
        </span>
        {hasDelivery ? (
          <Checkout.ItemDelivery className={styles.delivery} />
        ) : (
          <Checkout.ItemPrice className={styles.price} />
        )}
      </Checkout.Item>
    </Checkout.Items>
  )
}
