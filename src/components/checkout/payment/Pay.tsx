'use client'

import { type KeyboardEvent, type MouseEvent, type ReactElement, useRef } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import { getTotal } from '../../../order/totals.js'
import type { Amount } from '../../../schema/index.js'
import { getOpenStep, isUnderWay } from '../openStep.js'
import { useCheckout, useCheckoutStore } from '../RootContext.js'
import { type CheckoutStage, type CheckoutValue, getCheckoutStage } from '../value.js'
import { getPayAction, type PayAction } from './payAction.js'
import { getPayLabel } from './payLabel.js'

/** State of {@link CheckoutPay}. */
export type CheckoutPayState = {
  stage: CheckoutStage
  step: CheckoutValue['step']['status']
  /** The effect of pressing the button now; undefined when it has none. */
  action: PayAction | undefined
  /** Whether a payment or a new price is in progress. */
  isPending: boolean
}

/** Props of {@link CheckoutPay}. */
export type CheckoutPayProps = PartProps<'button', CheckoutPayState>

const select = (value: CheckoutValue) => {
  const stage = getCheckoutStage(value)
  const total = value.order && getTotal(value.order)
  return {
    stage,
    step: value.step.status,
    action: getPayAction(value),
    isPending:
      Boolean(value.isRefreshing || value.isEditing) ||
      stage === 'paying' ||
      isUnderWay(getOpenStep(value).status),
    label: getPayLabel(value),
    amount: total?.amount,
    currency: total?.currency,
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
 * Renders a `<button>`. Pays the displayed total. If the price has changed, the first click accepts the new
 * price. If the quote has expired, the click requests a new one. The button stays focusable while it can do
 * nothing, so that keyboard users keep their place.
 */
export function CheckoutPay(props: CheckoutPayProps): ReactElement {
  const store = useCheckoutStore('Pay')
  const pressed = useRef<PayAction>(undefined)
  const { label, amount, currency, ...state } = useCheckout('Pay', select)
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
    children: label,
  })
}
