import type { ErrorTable } from './context.js'
import { createErrors } from './KassaError.js'

/** The errors of an input that is invalid before it is sent. */
export const inputErrors: ErrorTable<'input'> = {
  'input.id-invalid': {
    message: ({ name }) =>
      `${name} is empty, or nothing that a path can hold, so nothing was asked. Look where it comes from.`,
    remedy: 'fix-app',
    retryable: false,
  },
}

/** Creates an error of the `input` area. */
export const inputError = createErrors(inputErrors)
