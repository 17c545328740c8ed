'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import { useCheckout } from '../RootContext.js'
import { type CheckoutValue, getMessages } from '../value.js'
import { describeHeld } from './describeHeld.js'
import { describeRefunded } from './describeRefund.js'

export declare namespace CheckoutRefund {
  /**
   * State of {@link CheckoutRefund}: what was refunded, without what waits.
   *
   * @units `amount` is an exact decimal string in whole units of `currency`.
   */
  export type State = { amount: string | undefined; currency: string | undefined }

  /** Props of {@link CheckoutRefund}. */
  export type Props = PartProps<'p', CheckoutRefund.State>
}

const select = (value: CheckoutValue) => {
  const { order } = value
  const refunded = order?.payment.refunded
  const messages = getMessages(value)
  const sentences = [
    order && describeRefunded(order, messages),
    order && describeHeld(order, messages),
  ].filter((sentence) => sentence !== undefined)
  return {
    amount: refunded?.amount,
    currency: refunded?.currency,
    sentence: sentences.length ? sentences.join(' ') : undefined,
  }
}

/**
 * Renders a `<p>`. Shows the exact amount refunded to the buyer, and the one whose refund is held, each with the
 * reason. Absent
 * without a refund.
 */
export function CheckoutRefund(props: CheckoutRefund.Props): ReactElement | null {
  const { sentence, ...state } = useCheckout('Refund', select)
  const element = useRender('p', 'refund', props, state, { children: sentence })
  return sentence === undefined ? null : element
}
