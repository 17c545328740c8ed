import type { ErrorTable } from './context.js'
import { createErrors } from './KassaError.js'

/** The error codes of a provider in the browser. */
export type ProviderErrorCode = 'config.query-client-missing' | 'config.client-missing'

/** The errors of a provider in the browser. The table is separate, so that the hooks do not load it. */
export const providerErrors: Pick<ErrorTable<'config'>, ProviderErrorCode> = {
  'config.query-client-missing': {
    message: ({ name }) =>
      `<${name}> is outside <QueryClientProvider>, or the app has two copies of @tanstack/react-query. Check with npm ls @tanstack/react-query. See kassa/errors/config.query-client-missing.md`,
    remedy: 'fix-app',
    retryable: false,
  },
  'config.client-missing': {
    message: ({ name }) =>
      `<${name}> has no client. Pass what createClient returns, and check that its import is not undefined. See kassa/errors/config.client-missing.md`,
    remedy: 'fix-app',
    retryable: false,
  },
}

/** Creates an error of a provider in the browser. */
export const providerError = createErrors(providerErrors)
