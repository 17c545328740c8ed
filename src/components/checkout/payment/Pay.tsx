'use client'

import { type KeyboardEvent, type MouseEvent, type ReactElement, useRef } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import { fill } from '../../../locales/fill.js'
import { formatAmount } from '../../../order/formatAmount.js'
import { isFreeOrder } from '../../../order/free.js'
import { getAmountDue } from '../../../order/payment.js'
import type { Amount } from '../../../schema/index.js'
import { describeStep, getOpenStep, isUnderWay } from '../openStep.js'
import { useCheckout, useCheckoutStore } from '../RootContext.js'
import { type CheckoutStage, type CheckoutValue, getCheckoutStage, getMessages } from '../value.js'
import { useOwnWallet } from '../wallet/useOwnWallet.js'
import { isStopped } from './isStopped.js'
import { getPayAction, type PayAction } from './payAction.js'

const getPrice = ({ order }: CheckoutValue): string | undefined => {
  const due = order && getAmountDue(order)
  return due && formatAmount(due, order.locale)
}

const labelOfStage = (value: CheckoutValue): string => {
  const messages = getMessages(value)
  const { order } = value
  const isFree = order !== undefined && isFreeOrder(order)
  switch (getCheckoutStage(value)) {
    case 'paying':
      return messages.confirming
    case 'delivering':
    case 'completed':
      return isFree ? messages.claimed : messages.paid
    case 'failed':
      return order?.phase === 'completed' ? messages.paid : messages.paymentFailed
    case 'needs-payer':
      return messages.connectToPay
    case 'unavailable':
      return messages.notAvailable
    case 'expired':
      return messages.expired
    case 'insufficient-funds':
      return order?.payment.status === 'crypto-payer-insufficient-funds-for-gas'
        ? messages.lacksForFee
        : fill(messages.lacks, { currency: order?.payment.currency?.toUpperCase() })
    case 'ready-to-pay':
      if (isStopped(value)) return messages.stopped
  }
  return isFree ? messages.claim : fill(messages.pay, { amount: getPrice(value) })
}

/** Returns the pay button's label: what pressing it does, or why it does nothing. */
const getPayLabel = (value: CheckoutValue): string => {
  const messages = getMessages(value)
  const step = getOpenStep(value)
  if (value.isRefreshing || value.isEditing) return messages.busy
  const underWay = describeStep(step, messages)
  if (underWay !== undefined) return underWay
  switch (getPayAction(value)) {
    case 'pay-again':
      return messages.payAgain
    case 'accept-price':
      return fill(messages.accept, { amount: getPrice(value) })
    case 'refresh':
      return messages.refresh
    default:
      return labelOfStage(value)
  }
}

export declare namespace CheckoutPay {
  /** State of {@link CheckoutPay}. */
  export type State = {
    stage: CheckoutStage
    step: CheckoutValue['step']['status']
    /** The effect of pressing the button now; undefined when it has none. */
    action: PayAction | undefined
    /** Whether a payment or a new price is in progress. */
    isPending: boolean
  }

  /** Props of {@link CheckoutPay}. */
  export type Props = PartProps<'button', CheckoutPay.State>
}

const select = (value: CheckoutValue) => {
  const stage = getCheckoutStage(value)
  const due = value.order && getAmountDue(value.order)
  return {
    stage,
    step: value.step.status,
    action: getPayAction(value),
    isPending:
      Boolean(value.isRefreshing || value.isEditing) ||
      stage === 'paying' ||
      isUnderWay(getOpenStep(value).status),
    label: getPayLabel(value),
    isPayerNeeded: stage === 'needs-payer',
    choosePayer: getMessages(value).choosePayer,
    method: value.order?.payment.method,
    amount: due?.amount,
    currency: due?.currency,
  }
}

const perform = (value: CheckoutValue, action: PayAction, total: Amount | undefined): void => {
  if (action === 'pay') value.pay({ total })
  if (action === 'pay-again') value.pay({ total, isAgain: true })
  // The buyer has seen the failure, so it is cleared, whatever the press does next.
  if (action === 'accept-price' || action === 'refresh') value.reset()
  if (action === 'refresh') value.refresh?.()
}

// A held key repeats its press, even after the button's action has changed.
const ignoreHeldKey = (event: KeyboardEvent): void => {
  if (event.repeat && event.key === 'Enter') event.preventDefault()
}

/**
 * Renders a `<button>`. Pays the total, or what is left of it. If the price has changed, the first click accepts the new
 * price. If the quote has expired, the click requests a new one. The button stays focusable while it can do
 * nothing, so that keyboard users keep their place.
 */
export function CheckoutPay(props: CheckoutPay.Props): ReactElement {
  const store = useCheckoutStore('Pay')
  const pressed = useRef<PayAction>(undefined)
  const { label, isPayerNeeded, choosePayer, method, amount, currency, ...state } = useCheckout('Pay', select)
  const hasWallet = useOwnWallet(method) !== undefined
  const press = (event: MouseEvent): void => {
    // The second half of a double click was meant for the action at the first.
    const isMeant = event.detail < 2 || pressed.current === state.action
    // An ignored half does not change what the first press meant.
    if (event.detail < 2) pressed.current = state.action
    const value = store.get()
    // Checked again at the moment of the press, because the order may have changed since the button rendered.
    if (!isMeant || state.action === undefined || getPayAction(value) !== state.action) return
    perform(
      value,
      state.action,
      amount === undefined || currency === undefined ? undefined : { amount, currency },
    )
  }
  return useRender('button', 'pay', props, state, {
    type: 'button',
    'aria-disabled': state.action === undefined || undefined,
    onKeyDown: ignoreHeldKey,
    onClick: press,
    // A wallet that is connected already, such as after a reload, needs no other connection.
    children: isPayerNeeded && hasWallet && !state.isPending ? choosePayer : label,
  })
}
