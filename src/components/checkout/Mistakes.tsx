'use client'

import { useEffect } from 'react'
import type { AnyKassaError } from '../../errors/index.js'
import { useCheckout } from './RootContext.js'
import type { CheckoutValue } from './value.js'

// An effect runs twice in React's strict mode, and several parts may show the same error.
const reported = new WeakSet<Error>()

// Services answer alike for an order that does not exist and for an id that the app has mistaken.
// Wrong pinned contracts look like a service that is not the shop's, so whatever a check refused is told.
const isMistake = ({ code, remedy }: AnyKassaError): boolean =>
  remedy === 'fix-app' || code === 'api.not-found' || (code.startsWith('pay.') && remedy === 'contact-shop')

/** Says in full what a check of the payment compared. A message shortens addresses. */
const describeFacts = ({ context }: AnyKassaError): string => {
  const { expected, quoted = expected, prepared } = context as Partial<Record<string, unknown>>
  return prepared === undefined ? '' : ` Expected ${quoted}, prepared ${prepared}.`
}

const report = (error: AnyKassaError | undefined): void => {
  if (!error || !isMistake(error) || reported.has(error)) return
  reported.add(error)
  console.error(`[kassa] ${error.code}: ${error.message}${describeFacts(error)} See ${error.docs}`)
}

/**
 * Renders no element. Writes an error that the app's code or configuration causes to the console, where a buyer reads
 * only a plain sentence. Rendered in development only.
 */
export function Mistake({ error }: { error: AnyKassaError | undefined }): null {
  useEffect(() => report(error), [error])
  return null
}

const select = ({ step, error, editError }: CheckoutValue) => ({
  stepError: 'error' in step ? step.error : undefined,
  error,
  editError,
})

/** Renders no element. Writes the mistakes of the app that a checkout meets to the console, as {@link Mistake} does. */
export function Mistakes() {
  const { stepError, error, editError } = useCheckout('Root', select)
  return (
    <>
      <Mistake error={error} />
      <Mistake error={stepError} />
      <Mistake error={editError} />
    </>
  )
}
