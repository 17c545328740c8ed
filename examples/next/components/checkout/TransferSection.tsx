'use client'

import { Checkout, isChangeable, type Order } from 'kassa'
import { useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useExplainError } from '../../lib/explainError'
import type { BuyerDetails } from '../../lib/useBuyerDetails'
import { DeliverySection } from './DeliverySection'
import styles from './TransferSection.module.css'

type Props = {
  order: Order
  details: BuyerDetails
  isLocked: boolean
  /** Whether a wallet is connected here, which has been asked where the goods go. */
  isConnected: boolean
}

/** A second way to pay: from a wallet on another device, which scans a code. */
export function TransferSection({ order, details, isLocked, isConnected }: Props) {
  const t = useTranslations('checkout')
  // A part that was paid from another device is followed by the rest from there.
  const [toggled, setToggled] = useState<boolean>()
  const isOpen = toggled ?? (order.payment.remaining !== undefined && !isConnected)
  const titleId = useId()
  return (
    <details
      className={styles.transfer}
      aria-labelledby={titleId}
      open={isOpen}
      onToggle={(event) => setToggled(event.currentTarget.open)}
    >
      <summary>
        <span className={styles.summary}>
          <strong id={titleId}>{t('transfer')}</strong>
          <span className="small soft">{t('transferText')}</span>
        </span>
      </summary>
      {isOpen && (
        <div className={styles.content}>
          {!isConnected && (
            <div className={styles.where}>
              {isChangeable(order) && <p className="small soft">{t('transferWhere')}</p>}
              <DeliverySection order={order} details={details} isLocked={isLocked} />
            </div>
          )}
          <Request details={details} />
        </div>
      )}
    </details>
  )
}

function Request({ details }: Pick<Props, 'details'>) {
  const t = useTranslations('checkout')
  const explain = useExplainError()
  if (details.error) {
    return (
      <div className="alert" role="alert">
        <p>{explain(details.error)}</p>
        <button className="button" type="button" onClick={details.retry}>
          {t('tryAgain')}
        </button>
      </div>
    )
  }
  // The code is of one price and one recipient, so it waits until both are known.
  if (!details.isComplete) return null
  if (details.isSaving || !details.isSettled) {
    return (
      <p className="soft" role="status">
        {t('gettingPrice')}
      </p>
    )
  }
  return (
    <Checkout.Transfer
      className={styles.request}
      render={(props, { status }) => (
        <>
          <section {...props} />
          {status === 'ready' && (
            <p className={styles.awaiting}>
              <span className="spinner" aria-hidden="true" />
              {t('awaiting')}
            </p>
          )}
        </>
      )}
    />
  )
}
