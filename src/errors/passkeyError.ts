import type { ErrorTable } from './context.js'
import { createErrors } from './KassaError.js'

/** The errors of creating or using a passkey. */
export const passkeyErrors: ErrorTable<'passkey'> = {
  'passkey.unavailable': {
    message: ({ reason }) =>
      `There can be no passkey here: ${reason}. Open the page over https in a browser that has passkeys, or offer another way.`,
    remedy: 'fix-app',
    retryable: false,
  },
  'passkey.rejected': {
    message: () =>
      'No passkey was created: it was declined, or the time was up. Try again when you are ready.',
    remedy: 'retry',
    retryable: true,
  },
  'passkey.failed': {
    message: ({ reason }) =>
      `The passkey could not be made or used (${reason}). Nothing was sent; try again, or take another device.`,
    remedy: 'retry',
    retryable: true,
  },
}

/** Creates an error of the `passkey` area. */
export const passkeyError = createErrors(passkeyErrors)
