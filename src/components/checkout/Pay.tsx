'use client'

import { type KeyboardEvent, type MouseEvent, type ReactElement, useRef } from 'react'
import { type PartProps, useRender } from '../../internal/render.js'
import { getTotal } from '../../order/totals.js'
import type { Amount } from '../../schema/index.js'
import { getOpenStep, isUnderWay } from './openStep.js'
import { getPayAction, type PayAction } from './payAction.js'
import { getPayLabel } from './payLabel.js'
import { useCheckout, useCheckoutStore } from './RootContext.js'
import { type CheckoutStage, type CheckoutValue, getCheckoutStage } from './value.js'

/** State of {@link CheckoutPay}. */
export type CheckoutPayState = {
  stage: CheckoutStage
  step: CheckoutValue['step']['status']
  /** What pressing the button does now; undefined when it does nothing. */
  action: PayAction | undefined
  /** Whether a payment, or a new price, is on its way. */
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
  // A failure that was read is over, whatever the press does next.
  if (action === 'accept-price' || action === 'refresh') value.reset()
  if (action === 'refresh') value.refresh?.()
}

// A held key presses the button again and again, whatever it has come to say meanwhile.
const ignoreHeldKey = (event: KeyboardEvent): void => {
  if (event.repeat && event.key === 'Enter') event.preventDefault()
}

/**
 * Renders a `<button>`. Pays the total it was drawn with; has a new price accepted first; renews one that has run
 * out; stays focusable while it can do nothing, so that nobody loses their place.
 */
export function CheckoutPay(props: CheckoutPayProps): ReactElement {
  const store = useCheckoutStore('Pay')
  const pressed = useRef<PayAction>(undefined)
  const { label, amount, currency, ...state } = useCheckout('Pay', select)
  const press = (event: MouseEvent): void => {
    // The second half of a double click was meant for what the button said at the first.
    const isMeant = event.detail < 2 || pressed.current === state.action
    // An ignored half changes nothing about what the first press meant.
    if (event.detail < 2) pressed.current = state.action
    const value = store.get()
    // Asked again at the moment of the press: the order may have moved since the button was drawn.
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
