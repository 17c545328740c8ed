import type { ErrorTable } from './context.js'
import { createErrors } from './KassaError.js'

/** The errors of waiting for an action. An action that fails is a result, not an error. */
export const actionErrors: ErrorTable<'action'> = {
  'action.unfinished': {
    message: ({ actionId, timeoutMs }) =>
      `Action ${actionId} did not finish within ${timeoutMs / 1000} s. The service is still processing it. Wait for it again, or listen for its webhook.`,
    remedy: 'retry',
    retryable: true,
  },
}

/** Creates an error of the `action` area. */
export const actionError = createErrors(actionErrors)
