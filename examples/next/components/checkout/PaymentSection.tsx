'use client'

import { Checkout, getStage, type Order, useNow, usePayOrder } from 'kassa'
import { explainError } from '../../lib/explainError'
import type { BuyerDetails } from '../../lib/useBuyerDetails'
import { CurrencyChoice } from './CurrencyChoice'
import { FundsButton } from './FundsButton'
import type { OrderAccess } from './OrderCheckout'
import styles from './PayView.module.css'

type Props = { access: OrderAccess; order: Order; details: BuyerDetails; isLocked: boolean }

const fundsErrors: readonly string[] = ['pay.insufficient-funds', 'pay.insufficient-funds-for-gas']

/** The price, the button, and what stands in the way of pressing it. */
export function PaymentSection({ access, order, details, isLocked }: Props) {
  const { step, reset } = usePayOrder(access)
  const stage = getStage(order, useNow(1_000))
  const isShort =
    stage === 'insufficient-funds' || (step.status === 'failed' && fundsErrors.includes(step.error.code))
  return (
    <section className={styles.section} aria-labelledby="payment-title">
      <h2 id="payment-title" className="heading">
        Payment
      </h2>
      <CurrencyChoice order={order} details={details} isLocked={isLocked} />
      {details.isSaving && !isLocked && (
        <p className={styles.waiting} role="status">
          <span className="spinner" aria-hidden="true" />
          Getting your price…
        </p>
      )}
      {!details.isSaving && details.isSettled && (
        <>
          <Checkout.Error className="alert">{explainError}</Checkout.Error>
          {step.status === 'uncertain' ? <PayAgain access={access} /> : <PayButton stage={stage} />}
          <Checkout.Status className={styles.status} />
        </>
      )}
      {details.email === '' && <p className="soft">Say above which e-mail address to deliver to.</p>}
      {details.error && !details.isSaving && (
        <div className="alert" role="alert">
          <p>{explainError(details.error)}</p>
          <button className="button" type="button" onClick={details.retry}>
            Try again
          </button>
        </div>
      )}
      {isShort && !details.isSaving && <FundsButton access={access} order={order} onFunded={reset} />}
    </section>
  )
}

const withButton: readonly string[] = ['ready-to-pay', 'expired', 'insufficient-funds', 'unavailable']

function PayButton({ stage }: { stage: string }) {
  // Before there is a price there is nothing to press: the status says what is missing.
  return withButton.includes(stage) ? <Checkout.Pay className="button" data-look="main" /> : null
}

function PayAgain({ access }: { access: OrderAccess }) {
  const { pay } = usePayOrder(access)
  return (
    <button className="button" type="button" onClick={() => void pay({ isAgain: true })}>
      My wallet shows no payment: pay again
    </button>
  )
}
