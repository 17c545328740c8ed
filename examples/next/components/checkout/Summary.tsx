'use client'

import { type Amount, Checkout, type Order } from 'kassa'
import { readListPrice } from '../../lib/listPrice'
import { formatMoney } from '../../lib/money'
import styles from './Summary.module.css'

/** Shows the items and their cost. Until the order has a price, this is the shop's list price. */
export function Summary({ order }: { order: Order }) {
  const listPrice = readListPrice(order)
  const { currency } = order.payment
  const isConverted = currency?.toLowerCase() !== listPrice?.currency.toLowerCase()
  const inCurrency = listPrice && !order.quote.totalPrice && isConverted && currency?.toUpperCase()
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
          // Every price of an order uses the same format.
          children={({ amount }) => (amount === undefined ? formatListPrice(listPrice) : undefined)}
        />
      </p>
      {inCurrency && <p className={styles.expiry}>In {inCurrency} once a wallet is connected</p>}
      <p className={styles.expiry}>
        <Checkout.Expiry
          render={(props, { isExpired }) =>
            isExpired ? (
              <span>This quote has expired.</span>
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

const formatListPrice = (price: Amount | undefined): string =>
  price ? formatMoney(price.amount, price.currency) : 'Shown once a wallet is connected'

/** The line items with their pictures and the delivery status of each. */
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
