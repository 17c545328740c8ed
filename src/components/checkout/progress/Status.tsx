'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import { describeCheckout } from '../describeCheckout.js'
import { useCheckout } from '../RootContext.js'
import { type CheckoutStage, type CheckoutValue, getCheckoutStage } from '../value.js'
import { useOwnWallet } from '../wallet/useOwnWallet.js'

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
  sentenceWithWallet: describeCheckout(value, true),
  method: value.order?.payment.method,
})

/**
 * Renders an `<output>`. Says in one sentence what is happening, and announces each change once. Empty while the order
 * is ready to be paid, because the pay button says so. Keep it mounted through the whole checkout: a screen reader does not announce text that arrives with its element.
 */
export function CheckoutStatus(props: CheckoutStatus.Props): ReactElement {
  const { sentence, sentenceWithWallet, method, ...state } = useCheckout('Status', select)
  const hasWallet = useOwnWallet(method) !== undefined
  return useRender('output', 'status', props, state, {
    'aria-live': 'polite',
    children: hasWallet ? sentenceWithWallet : sentence,
  })
}
