import type { ClientErrorCode } from './clientError.js'
import type { ErrorTable } from './context.js'
import { createErrors } from './KassaError.js'
import type { PartErrorCode } from './partError.js'
import type { ProviderErrorCode } from './providerError.js'
import type { ServerErrorCode } from './serverError.js'

/** The errors of an app's configuration, except those of a client, a part, a provider and a server. */
export const configErrors: Omit<
  ErrorTable<'config'>,
  ServerErrorCode | ClientErrorCode | PartErrorCode | ProviderErrorCode
> = {
  'config.provider-missing': {
    message: ({ name }) =>
      `${name} found no checkout client. Render it inside <CheckoutProvider client={…}>.`,
    remedy: 'fix-app',
    retryable: false,
  },
}

/** Creates an error of the `config` area. */
export const configError = createErrors(configErrors)
