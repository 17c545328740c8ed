'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../internal/render.js'
import { getPayAction, getPayLabel, type PayAction } from './payAction.js'
import { useCheckout, useCheckoutStore } from './RootContext.js'
import { getOpenStep, isPendingStep } from './status.js'
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
  return {
    stage,
    step: value.step.status,
    action: getPayAction(value),
    isPending: Boolean(value.isRefreshing) || stage === 'paying' || isPendingStep(getOpenStep(value).status),
    label: getPayLabel(value),
  }
}

const act = (value: CheckoutValue): void => {
  // Asked again at the moment of the press: the order may have moved since the button was drawn.
  const action = getPayAction(value)
  if (action === 'pay') value.pay()
  if (action === 'pay-again') value.pay({ isAgain: true })
  if (action !== 'refresh') return
  value.reset()
  value.refresh?.()
}

/**
 * Renders a `<button>`. Pays; renews a price that has run out; stays focusable while it can do nothing, so that
 * nobody loses their place.
 */
export function CheckoutPay(props: CheckoutPayProps): ReactElement {
  const store = useCheckoutStore('Pay')
  const { label, ...state } = useCheckout('Pay', select)
  return useRender('button', props, state, {
    type: 'button',
    'aria-disabled': state.action === undefined || undefined,
    onClick: () => act(store.get()),
    children: label,
  })
}
