'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import { describeCheckout } from '../describeCheckout.js'
import { useCheckout } from '../RootContext.js'
import { type CheckoutStage, type CheckoutValue, getCheckoutStage } from '../value.js'

export declare namespace CheckoutStatus {
  /** State of {@link CheckoutStatus}. */
  export type State = { stage: CheckoutStage; step: CheckoutValue['step']['status'] }

  /** Props of {@link CheckoutStatus}. */
  export type Props = PartProps<'output', CheckoutStatus.State>
}

const select = (value: CheckoutValue) => ({
  stage: getCheckoutStage(value),
  step: value.step.status,
  sentence: describeCheckout(value),
})

/**
 * Renders an `<output>`. Says in one sentence what is happening, and announces each change once. Empty while the order
 * is ready to be paid, because the pay button says so. Keep it mounted through the whole checkout: a screen reader does not announce text that arrives with its element.
 */
export function CheckoutStatus(props: CheckoutStatus.Props): ReactElement {
  const { sentence, ...state } = useCheckout('Status', select)
  return useRender('output', 'status', props, state, { 'aria-live': 'polite', children: sentence })
}
