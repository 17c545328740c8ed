import type { ClientErrorCode } from './clientError.js'
import type { ErrorTable } from './context.js'
import { createErrors } from './KassaError.js'
import type { ProviderErrorCode } from './providerError.js'
import type { ServerErrorCode } from './serverError.js'

/** The errors of an app's configuration, except those of a client, a provider and a server. */
export const configErrors: Omit<
  ErrorTable<'config'>,
  ServerErrorCode | ClientErrorCode | ProviderErrorCode
> = {
  'config.provider-missing': {
    message: ({ name }) =>
      `${name} found no checkout client. Render it inside <CheckoutProvider client={…}>.`,
    remedy: 'fix-app',
    retryable: false,
  },
  'config.part-outside-root': {
    message: ({ part }) =>
      `<${part}> was rendered outside <Checkout.Root>, or outside <Checkout.Field> if it is part of a field. Move it inside.`,
    remedy: 'fix-app',
    retryable: false,
  },
}

/** Creates an error of the `config` area. */
export const configError = createErrors(configErrors)
