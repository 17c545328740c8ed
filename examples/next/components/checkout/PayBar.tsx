'use client'

import { Checkout, getStage, type Order, useNow, usePayOrder } from 'kassa'
import { useLocale, useTranslations } from 'use-intl'
import { isOutOfReach, useExplainCode, useExplainError } from '../../lib/explainError'
import { formatMoney, subtract } from '../../lib/money'
import type { BuyerDetails } from '../../lib/useBuyerDetails'
import { useWhenOnline } from '../../lib/useOnline'
import { FundsButton } from './FundsButton'
import type { OrderAccess } from './OrderCheckout'
import { PayAgain } from './PayAgain'
import styles from './PayBar.module.css'
import { PayNotice } from './PayNotice'
import { RefundLink } from './ReturnedPayment'
import { SwitchNetwork } from './SwitchNetwork'

type Props = { access: OrderAccess; order: Order; details: BuyerDetails; isLocked: boolean }

/** The pay button and what prevents pressing it. On a phone it stays in view. */
export function PayBar({ access, order, details, isLocked }: Props) {
  const t = useTranslations('checkout')
  const isWaiting = details.isSaving && !isLocked
  return (
    <div className={styles.bar}>
      <div className={styles.waiting} role="status">
        {isWaiting && (
          <p>
            <span className="spinner" aria-hidden="true" />
            {t('gettingPrice')}
          </p>
        )}
      </div>
      {!isWaiting && <Payable access={access} order={order} details={details} />}
    </div>
  )
}

function Payable({ access, order, details }: Omit<Props, 'isLocked'>) {
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
  if (!details.isComplete) {
    return <p className="soft">{details.delivery.to === 'email' ? t('sayEmail') : t('sayWallet')}</p>
  }
  return details.isSettled ? <PayControls access={access} order={order} /> : null
}

const withButton: readonly string[] = ['ready-to-pay', 'expired', 'insufficient-funds']

// While a payment is under way, the button says the same as the status.
const withStatus: readonly string[] = ['idle', 'failed', 'uncertain']

function PayControls({ access, order }: { access: OrderAccess; order: Order }) {
  const explain = useExplainCode()
  const { step, reset } = usePayOrder(access)
  const stage = getStage(order, useNow(1_000))
  const error = 'error' in step ? step.error : undefined
  useWhenOnline(step.status === 'failed' && isOutOfReach(step.error), reset)
  const isElsewhere = error?.remedy === 'switch-network'
  const isRefused = error?.remedy === 'add-funds'
  const isShort = stage === 'insufficient-funds' || isRefused
  return (
    <>
      {error ? (
        <PayNotice error={error} order={order} />
      ) : (
        <Checkout.Error className="alert">{explain}</Checkout.Error>
      )}
      {isElsewhere && <SwitchNetwork order={order} onSwitched={reset} />}
      {isShort && <Missing order={order} />}
      {isShort && <FundsButton access={access} order={order} onFunded={isRefused ? reset : undefined} />}
      {step.status === 'uncertain' ? (
        <PayAgain access={access} order={order} />
      ) : (
        // Before there is a price, the status says what is missing and there is no button.
        withButton.includes(stage) && (
          <Checkout.Pay className="button" data-look={isElsewhere ? undefined : 'main'} />
        )
      )}
      {stage === 'unavailable' && <Checkout.Refresh className="button" data-look="main" />}
      {withStatus.includes(step.status) && (
        <div className={styles.status}>
          <Checkout.Status aria-live="off" />
          <RefundLink order={order} />
        </div>
      )}
    </>
  )
}

/** Says how much the wallet lacks of the order's total, once the chain has said what it holds. */
function Missing({ order: { quote } }: { order: Order }) {
  const t = useTranslations('checkout')
  const locale = useLocale()
  return (
    <Checkout.Balance
      render={(_, { amount, currency }) => {
        const missing = subtract(quote.totalPrice?.amount ?? '0', amount ?? '0')
        return (
          <p hidden={!missing}>
            {missing && t('missing', { missing: formatMoney(missing, currency, locale) })}
          </p>
        )
      }}
    />
  )
}
