'use client'

import type { ReactElement } from 'react'
import type { AnyKassaError, KassaErrorCode, Remedy } from '../../errors/index.js'
import { type PartProps, useRender } from '../../internal/render.js'
import { describeError } from './describeError.js'
import { isUnpaid } from './isUnpaid.js'
import { getOpenStep } from './openStep.js'
import { useCheckout } from './RootContext.js'
import { useWagmiConfig } from './useWagmiConfig.js'
import { type CheckoutValue, getMessages } from './value.js'

/** State of {@link CheckoutError}. */
export type CheckoutErrorState = {
  code: KassaErrorCode
  /** What the part says, in the buyer's language. */
  message: string
  /** Whether the same may succeed when tried again. */
  isRetryable: boolean
  /** What helps against it, to style or to offer by. */
  remedy: Remedy
}

/** Props of {@link CheckoutError}. */
export type CheckoutErrorProps = PartProps<'div', CheckoutErrorState>

// A form that is there shows by itself what its fields are refused for.
const getEditError = (value: CheckoutValue): AnyKassaError | undefined =>
  isUnpaid(value) && value.formError !== 'sent' && value.formError !== value.editError
    ? value.editError
    : undefined

// The payment's error comes first: it is what the buyer just did.
const select = (value: CheckoutValue) => {
  const step = getOpenStep(value)
  const error = 'error' in step ? step.error : (value.error ?? getEditError(value))
  return { error, messages: getMessages(value) }
}

/** Renders a `<div>`. Says what went wrong and what to do; absent while nothing is wrong. */
export function CheckoutError(props: CheckoutErrorProps): ReactElement | null {
  const { error, messages } = useCheckout('Error', select)
  const config = useWagmiConfig()
  return error ? (
    <ErrorElement {...props} error={error} message={describeError(error, messages, config)} />
  ) : null
}

function ErrorElement({
  error: { code, retryable, remedy },
  message,
  ...props
}: CheckoutErrorProps & { error: AnyKassaError; message: string }) {
  return useRender(
    'div',
    'error',
    props,
    { code, message, isRetryable: retryable, remedy },
    { role: 'alert', children: message },
  )
}
