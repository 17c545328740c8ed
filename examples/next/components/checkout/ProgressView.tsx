'use client'

import { Checkout, type Order, usePayOrder } from 'kassa'
import { useSyncExternalStore } from 'react'
import { useCheckoutShop } from '../../lib/checkoutShop'
import { explainError } from '../../lib/explainError'
import type { OrderAccess } from './OrderCheckout'
import styles from './ProgressView.module.css'
import { Items } from './Summary'
import { TransactionLink } from './TransactionLink'

type State = 'done' | 'now' | 'later'

const getStates = (order: Order): [State, State, State] => {
  if (order.phase === 'delivery' || order.payment.status === 'completed') return ['done', 'done', 'now']
  return ['done', 'now', 'later']
}

const words: Readonly<Record<State, string>> = { done: 'done', now: 'under way', later: 'to come' }

/** Shows the progress from a sent payment to the delivered goods. */
export function ProgressView({ access, order }: { access: OrderAccess; order: Order }) {
  const { step } = usePayOrder(access)
  const { speedUps } = useCheckoutShop()
  const states = getStates(order)
  const labels = ['Payment sent', 'Payment confirmed', 'Delivery'] as const
  const isConfirmed = states[1] === 'done'
  const txId = order.payment.received?.txId ?? ('txId' in step ? step.txId : undefined)
  const isSpedUp = useSyncExternalStore(
    speedUps.subscribe,
    () => speedUps.has(txId),
    () => false,
  )
  return (
    <div className={styles.view}>
      <div className={styles.head}>
        <h1 className="title">{isConfirmed ? 'On its way to you' : 'Your payment is sent'}</h1>
        <Checkout.Status aria-live="off" className="lead" />
      </div>
      <ol className={styles.track}>
        {labels.map((label, index) => {
          const state = states[index] ?? 'later'
          return (
            <li key={label} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
              <span className={styles.dot} aria-hidden="true" />
              {label}
              <span className="hidden">, {words[state]}</span>
            </li>
          )
        })}
      </ol>
      <div className={styles.news} role="status">
        {isSpedUp && <p>Sped up in your wallet. This page follows the new transaction.</p>}
      </div>
      <Items hasDelivery={isConfirmed} />
      <Checkout.Error className="alert">{explainError}</Checkout.Error>
      <p className="small soft">
        You can close this page and come back to it: nothing is lost.
        {txId && (
          <>
            {' '}
            Transaction <TransactionLink txId={txId} chain={order.payment.method} />
          </>
        )}
      </p>
    </div>
  )
}
