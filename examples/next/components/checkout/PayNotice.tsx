'use client'

import type { AnyKassaError, Order } from 'kassa'
import type { ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { explainPayment } from '../../lib/explainPayment'
import { useOnline } from '../../lib/useOnline'
import { Copyable } from './Copyable'
import styles from './PayNotice.module.css'
import { TransactionLink } from './TransactionLink'

const hide = (words: ReactNode) => <span className="hidden">{words}</span>

/** Says why a payment did not go through, whether money moved, and what to do. */
export function PayNotice({ error, order }: { error: AnyKassaError; order: Order }) {
  const t = useTranslations('payment')
  const common = useTranslations('common')
  const { tone, title, text, prices, txId, detail, isForShop } = explainPayment(error, t, useOnline())
  const attemptedAt = error.code === 'pay.uncertain' ? error.context.attemptedAt : undefined
  return (
    <div className={styles.notice} data-tone={tone} role="alert">
      <p className={styles.title}>{title}</p>
      {prices && (
        <p className={styles.prices}>
          {t.rich('prices', {
            ...prices,
            hidden: hide,
            old: (price) => <s>{price}</s>,
            new: (price) => <strong>{price}</strong>,
          })}
        </p>
      )}
      <p>
        {text}
        {attemptedAt && <AskedAt at={attemptedAt} />}
      </p>
      {detail && <p className={styles.detail}>{detail}</p>}
      {txId && (
        <p className={styles.fact}>
          {common.rich('transaction', {
            link: () => <TransactionLink txId={txId} chain={order.payment.method} />,
          })}
        </p>
      )}
      {isForShop && (
        <p className={styles.fact}>
          {t.rich('tellShop', {
            number: () => <Copyable value={order.orderId} what={t('orderNumber')} />,
          })}
        </p>
      )}
    </div>
  )
}

/** Shows when the wallet was asked, so that the buyer can find the payment in the wallet's list. */
function AskedAt({ at }: { at: string }) {
  const t = useTranslations('payment')
  const time = new Date(at).toLocaleTimeString(useLocale(), { hour: '2-digit', minute: '2-digit' })
  return <> {t.rich('askedAt', { time, clock: (words) => <time dateTime={at}>{words}</time> })}</>
}
