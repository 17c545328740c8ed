'use client'

import { useId, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import type { Confirmations, PaymentRequest } from '../../lib/demoWallet/confirmations'
import { formatMoney } from '../../lib/money'
import { Address } from './Address'
import styles from './ConfirmPayment.module.css'

/** The demo wallet's own window. It asks its owner about one payment at a time. */
export function ConfirmPayment({ confirmations }: { confirmations: Confirmations }) {
  const request = useSyncExternalStore(confirmations.subscribe, confirmations.get, () => undefined)
  return request ? <PaymentDialog request={request} answer={confirmations.answer} /> : null
}

function PaymentDialog(props: { request: PaymentRequest; answer: Confirmations['answer'] }) {
  const { request, answer } = props
  const t = useTranslations('wallets')
  const common = useTranslations('common')
  const locale = useLocale()
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const amountId = useId()
  // Closes before it unmounts, so that the focus returns to where it was.
  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={ref}
      className={styles.dialog}
      aria-labelledby={titleId}
      aria-describedby={amountId}
      onCancel={(event) => {
        event.preventDefault()
        answer(false)
      }}
    >
      <p className={styles.wallet}>
        <span className={styles.badge}>{t('demo')}</span> {t('testFunds')}
      </p>
      <h2 id={titleId} className="heading">
        {t('confirmPayment')}
      </h2>
      <p id={amountId} className={styles.amount}>
        {formatMoney(request.amount, request.currency, locale)}
      </p>
      <dl className={styles.rows}>
        <div>
          <dt>{common('network')}</dt>
          <dd>{request.network}</dd>
        </div>
        <div>
          <dt>{common('to')}</dt>
          <dd>
            <Address value={request.to} />
          </dd>
        </div>
        <div>
          <dt>{common('from')}</dt>
          <dd>
            <Address value={request.from} />
          </dd>
        </div>
      </dl>
      <div className={styles.actions}>
        <button className="button" type="button" onClick={() => answer(false)}>
          {t('decline')}
        </button>
        <button className="button" data-look="main" type="button" onClick={() => answer(true)}>
          {t('confirm')}
        </button>
      </div>
    </dialog>
  )
}
