'use client'

import { Checkout, getStage, type Order } from 'kassa'
import Link from 'next/link'
import { PaymentFacts } from './PaymentFacts'
import styles from './ReceiptView.module.css'
import { TokenCard } from './TokenCard'

const getTitle = (order: Order, count: number): string => {
  if (count === 0) return 'Nothing could be delivered'
  if (getStage(order) === 'failed') return 'A part of your order has arrived'
  return count === 1 ? 'Your edition has arrived' : 'Your editions have arrived'
}

/**
 * Whether any item went to an e-mail address, whose owner finds it in the wallet the service keeps for them.
 */
const isKept = ({ lineItems }: Order): boolean =>
  lineItems.some(({ delivery }) => delivery.tokens?.length && delivery.recipient?.email)

/** Shows what was bought, where it is, and how it was paid. */
export function ReceiptView({ order }: { order: Order }) {
  const count = order.lineItems.flatMap(({ delivery }) => delivery.tokens ?? []).length
  return (
    <div className={styles.view}>
      <div className={styles.head}>
        <p className={styles.eyebrow}>Receipt</p>
        <h1 className="title">{getTitle(order, count)}</h1>
        <Checkout.Status aria-live="off" className="lead" />
      </div>
      <Checkout.Receipt className={styles.tokens}>
        {(tokens) => tokens.map((token) => <TokenCard key={token.locator} token={token} />)}
      </Checkout.Receipt>
      <PaymentFacts order={order} />
      {isKept(order) && (
        <Link className="button" href="/wallet">
          See it in your wallet
        </Link>
      )}
      <Link className="button" href="/">
        Back to the editions
      </Link>
    </div>
  )
}
