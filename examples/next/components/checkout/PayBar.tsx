'use client'

import { Checkout, getStage, type Order, useNow, usePayOrder } from 'kassa'
import { explainError } from '../../lib/explainError'
import type { BuyerDetails } from '../../lib/useBuyerDetails'
import { FundsButton } from './FundsButton'
import type { OrderAccess } from './OrderCheckout'
import { PayAgain } from './PayAgain'
import styles from './PayBar.module.css'
import { PayNotice } from './PayNotice'
import { SwitchNetwork } from './SwitchNetwork'

type Props = { access: OrderAccess; order: Order; details: BuyerDetails; isLocked: boolean }

/** The pay button and what prevents pressing it. On a phone it stays in view. */
export function PayBar({ access, order, details, isLocked }: Props) {
  const isWaiting = details.isSaving && !isLocked
  return (
    <div className={styles.bar}>
      <div className={styles.waiting} role="status">
        {isWaiting && (
          <p>
            <span className="spinner" aria-hidden="true" />
            Getting your price…
          </p>
        )}
      </div>
      {!isWaiting && <Payable access={access} order={order} details={details} />}
    </div>
  )
}

function Payable({ access, order, details }: Omit<Props, 'isLocked'>) {
  if (details.error) {
    return (
      <div className="alert" role="alert">
        <p>{explainError(details.error)}</p>
        <button className="button" type="button" onClick={details.retry}>
          Try again
        </button>
      </div>
    )
  }
  if (details.email === '') return <p className="soft">Say above which e-mail address to deliver to.</p>
  return details.isSettled ? <PayControls access={access} order={order} /> : null
}

const withButton: readonly string[] = ['ready-to-pay', 'expired', 'insufficient-funds', 'unavailable']

function PayControls({ access, order }: { access: OrderAccess; order: Order }) {
  const { step, reset } = usePayOrder(access)
  const stage = getStage(order, useNow(1_000))
  const error = 'error' in step ? step.error : undefined
  const isShort = stage === 'insufficient-funds' || error?.remedy === 'add-funds'
  return (
    <>
      {error ? (
        <PayNotice error={error} order={order} />
      ) : (
        <Checkout.Error className="alert">{explainError}</Checkout.Error>
      )}
      {error?.remedy === 'switch-network' && <SwitchNetwork order={order} onSwitched={reset} />}
      {isShort && <FundsButton access={access} order={order} onFunded={reset} />}
      {step.status === 'uncertain' ? (
        <PayAgain access={access} order={order} />
      ) : (
        // Before there is a price, the status says what is missing and there is no button.
        withButton.includes(stage) && <Checkout.Pay className="button" data-look="main" />
      )}
      <Checkout.Status aria-live="off" className={styles.status} />
    </>
  )
}
