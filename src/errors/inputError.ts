import type { ErrorTable } from './context.js'
import { createErrors } from './KassaError.js'

/** The errors of an input that is invalid before it is sent. */
export const inputErrors: ErrorTable<'input'> = {
  'input.id-invalid': {
    message: ({ name }) =>
      `${name} is empty or not valid in a URL path. No request was sent. Check where the value comes from.`,
    remedy: 'fix-app',
    retryable: false,
  },
  'input.client-secret-missing': {
    message: ({ orderId }) =>
      `clientSecret is missing for order ${orderId}, and a client key opens no order. No request was sent. Pass the clientSecret that create order returned.`,
    remedy: 'fix-app',
    retryable: false,
  },
}

/** Creates an error of the `input` area. */
export const inputError = createErrors(inputErrors)
