'use client'

import { Checkout, type Order } from 'kassa'
import { explainError } from '../../lib/explainError'
import { Address } from './Address'
import styles from './ProgressView.module.css'
import { Items } from './Summary'

type State = 'done' | 'now' | 'later'

const getStates = (order: Order): [State, State, State] => {
  if (order.phase === 'delivery' || order.payment.status === 'completed') return ['done', 'done', 'now']
  return ['done', 'now', 'later']
}

const words: Readonly<Record<State, string>> = { done: 'done', now: 'under way', later: 'to come' }

/** The way from a sent payment to the delivered goods. */
export function ProgressView({ order }: { order: Order }) {
  const states = getStates(order)
  const labels = ['Payment sent', 'Payment confirmed', 'Delivery'] as const
  const isConfirmed = states[1] === 'done'
  const txId = order.payment.received?.txId
  return (
    <div className={styles.view}>
      <div className={styles.head}>
        <h1 className="title">{isConfirmed ? 'On its way to you' : 'Your payment is sent'}</h1>
        <Checkout.Status className="lead" />
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
      <Items hasDelivery={isConfirmed} />
      <Checkout.Error className="alert">{explainError}</Checkout.Error>
      <p className="small soft">
        You can close this page and come back to it: nothing is lost.
        {txId && (
          <>
            {' '}
            Transaction <Address value={txId} />
          </>
        )}
      </p>
    </div>
  )
}
