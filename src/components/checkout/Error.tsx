'use client'

import type { ReactElement } from 'react'
import type { KassaErrorCode, Remedy } from '../../errors/index.js'
import { type PartProps, useRender } from '../../internal/render.js'
import { getOpenStep } from './openStep.js'
import { useCheckout } from './RootContext.js'
import type { CheckoutValue } from './value.js'

/** State of {@link CheckoutError}. */
export type CheckoutErrorState = {
  code: KassaErrorCode
  message: string
  /** Whether the same may succeed when tried again. */
  isRetryable: boolean
  /** What helps against it, to style or to offer by. */
  remedy: Remedy
}

/** Props of {@link CheckoutError}. */
export type CheckoutErrorProps = PartProps<'div', CheckoutErrorState>

// The payment's error comes first: it is what the buyer just did.
const select = (value: CheckoutValue) => {
  const step = getOpenStep(value)
  return { error: 'error' in step ? step.error : value.error }
}

/** Renders a `<div>`. Says what went wrong and what to do; absent while nothing is wrong. */
export function CheckoutError(props: CheckoutErrorProps): ReactElement | null {
  const { error } = useCheckout('Error', select)
  return error ? <ErrorElement {...props} error={error} /> : null
}

function ErrorElement({
  error,
  ...props
}: CheckoutErrorProps & { error: NonNullable<CheckoutValue['error']> }) {
  const { code, message, retryable, remedy } = error
  return useRender(
    'div',
    props,
    { code, message, isRetryable: retryable, remedy },
    { role: 'alert', children: message },
  )
}
