import type { ErrorTable } from './context.js'
import { createErrors } from './KassaError.js'

/** The error code of a module that could not be loaded. */
export type LoadErrorCode = 'api.not-loaded'

/** The errors of loading a module. The table is separate, so that a page that only shows an order does not load it. */
export const loadErrors: Pick<ErrorTable<'api'>, LoadErrorCode> = {
  'api.not-loaded': {
    message: () =>
      'The payment code could not be loaded. Nothing was sent. Check the connection, then pay again or reload the page.',
    remedy: 'retry',
    retryable: true,
  },
}

/** Creates an error of loading a module. */
export const loadError = createErrors(loadErrors)
