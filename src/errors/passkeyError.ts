import type { ErrorTable } from './context.js'
import { createErrors } from './KassaError.js'

/** The errors of creating or using a passkey. */
export const passkeyErrors: ErrorTable<'passkey'> = {
  'passkey.unavailable': {
    message: ({ reason }) =>
      `Passkeys are not available here: ${reason}. Open the page over HTTPS in a browser that supports passkeys, or offer another kind of wallet.`,
    remedy: 'fix-app',
    retryable: false,
  },
  'passkey.rejected': {
    message: () => 'No passkey was created. The request was declined or timed out. Try again when ready.',
    remedy: 'retry',
    retryable: true,
  },
  'passkey.failed': {
    message: ({ reason }) =>
      `The passkey could not be created or used (${reason}). Nothing was sent. Try again, or use another device.`,
    remedy: 'retry',
    retryable: true,
  },
}

/** Creates an error of the `passkey` area. */
export const passkeyError = createErrors(passkeyErrors)
