'use client'

import type { ReactElement } from 'react'
import type { AnyKassaError, KassaErrorCode, Remedy } from '../../../errors/index.js'
import { useWagmiConfig } from '../../../hooks/evm/wagmiConfig.js'
import type { PartProps } from '../../../internal/render.js'
import { isChangeable } from '../../../order/payment.js'
import { getOpenStep } from '../openStep.js'
import { useCheckout } from '../RootContext.js'
import { type CheckoutValue, getMessages } from '../value.js'
import { describeError } from './describeError.js'
import { ErrorElement } from './ErrorElement.js'

export declare namespace CheckoutError {
  /** State of {@link CheckoutError}. */
  export type State = {
    code: KassaErrorCode
    /** The part's text in the buyer's language. */
    message: string
    /** Whether a retry may succeed. */
    isRetryable: boolean
    /** What solves the problem, for styling or for choosing what to offer. */
    remedy: Remedy
  }

  /** Props of {@link CheckoutError}. */
  export type Props = PartProps<'div', CheckoutError.State>
}

// A change that was refused because a payment was seen since needs no error: the parts show that payment. The address of
// a refund may be named then, too.
const takesChange = ({ order }: CheckoutValue): boolean =>
  order !== undefined && (isChangeable(order) || order.payment.refundHeld?.reason === 'contract-payer')

// A visible form shows the errors of its own fields.
const getEditError = (value: CheckoutValue): AnyKassaError | undefined =>
  takesChange(value) && value.formError !== 'sent' && value.formError !== value.editError
    ? value.editError
    : undefined

// The payment's error comes first, because it answers the buyer's last action.
const select = (value: CheckoutValue) => {
  const step = getOpenStep(value)
  const error = 'error' in step ? step.error : (value.error ?? getEditError(value))
  return { error, messages: getMessages(value) }
}

/** Renders a `<div>`. Says what went wrong and what to do. Absent while there is no error. */
export function CheckoutError(props: CheckoutError.Props): ReactElement | null {
  const { error, messages } = useCheckout('Error', select)
  const config = useWagmiConfig()
  return error ? (
    <ErrorElement {...props} error={error} message={describeError(error, messages, config)} />
  ) : null
}
