import type { ErrorTable } from './context.js'
import { createErrors } from './KassaError.js'

/** The error codes of creating a client. */
export type ClientErrorCode = 'config.base-url-invalid' | 'config.server-key-exposed'

/** The errors of creating a client. The table is separate, so that the hooks do not load it. */
export const clientErrors: Pick<ErrorTable<'config'>, ClientErrorCode> = {
  'config.base-url-invalid': {
    message: ({ baseUrl, reason }) =>
      `baseUrl ${JSON.stringify(baseUrl ?? null)} ${reason}. Write it like https://pay.example/api.`,
    remedy: 'fix-app',
    retryable: false,
  },
  'config.server-key-exposed': {
    message: () =>
      'createClient received a server key (sk_…) in a page, where everyone can read it. Revoke the key, and use a client key (ck_…) or your own handler.',
    remedy: 'fix-app',
    retryable: false,
  },
}

/** Creates an error of creating a client. */
export const clientError = createErrors(clientErrors)
