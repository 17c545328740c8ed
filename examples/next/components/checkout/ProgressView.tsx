'use client'

import { Checkout, type Order, usePayOrder } from 'kassa'
import { type ReactNode, useSyncExternalStore } from 'react'
import { useTranslations } from 'use-intl'
import { useCheckoutShop } from '../../lib/checkoutShop'
import { useExplainCode } from '../../lib/explainError'
import type { OrderAccess } from './OrderCheckout'
import styles from './ProgressView.module.css'
import { Items } from './Summary'
import { TransactionLink } from './TransactionLink'

type State = 'done' | 'now' | 'later'

const getStates = (order: Order): [State, State, State] => {
  if (order.phase === 'delivery' || order.payment.status === 'completed') return ['done', 'done', 'now']
  return ['done', 'now', 'later']
}

const labels = [
  { done: 'paymentDone', now: 'paymentNow', later: 'paymentLater' },
  { done: 'confirmationDone', now: 'confirmationNow', later: 'confirmationLater' },
  { done: 'deliveryDone', now: 'deliveryNow', later: 'deliveryLater' },
] as const

const words = { done: 'stateDone', now: 'stateNow', later: 'stateLater' } as const

const hide = (text: ReactNode) => <span className="hidden">{text}</span>

/** Shows the progress from a sent payment to the delivered goods. */
export function ProgressView({ access, order }: { access: OrderAccess; order: Order }) {
  const t = useTranslations('checkout')
  const common = useTranslations('common')
  const explain = useExplainCode()
  const { step } = usePayOrder(access)
  const { speedUps } = useCheckoutShop()
  const states = getStates(order)
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
        <h1 className="title">{isConfirmed ? t('onItsWay') : t('sent')}</h1>
        <Checkout.Status aria-live="off" className="lead" />
      </div>
      <ol className={styles.track}>
        {labels.map((label, index) => {
          const state = states[index] ?? 'later'
          return (
            <li key={index} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
              <span className={styles.dot} aria-hidden="true" />
              {t.rich(words[state], { step: t(label[state]), hidden: hide })}
            </li>
          )
        })}
      </ol>
      <div className={styles.news} role="status">
        {isSpedUp && <p>{t('spedUp')}</p>}
      </div>
      <Items hasDelivery={isConfirmed} />
      <Checkout.Error className="alert">{explain}</Checkout.Error>
      <p className="small soft">
        {t('close')}
        {txId && (
          <>
            {' '}
            {common.rich('transaction', {
              link: () => <TransactionLink txId={txId} chain={order.payment.method} />,
            })}
          </>
        )}
      </p>
    </div>
  )
}
