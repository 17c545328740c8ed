'use client'

import type { AnyKassaError, KassaErrorCode, Remedy } from '../../../errors/index.js'
import { type PartProps, useRender } from '../../../internal/render.js'

type ErrorState = { code: KassaErrorCode; message: string; isRetryable: boolean; remedy: Remedy }

/** Renders a `<div>` with an error for the buyer. */
export function ErrorElement({
  error: { code, retryable, remedy },
  message,
  ...props
}: PartProps<'div', ErrorState> & { error: AnyKassaError; message: string }) {
  return useRender(
    'div',
    'error',
    props,
    { code, message, isRetryable: retryable, remedy },
    { role: 'alert', children: message },
  )
}
