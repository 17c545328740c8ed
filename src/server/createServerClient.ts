import { type Client, type CreateClientParameters, createClient } from '../api/client.js'
import { isBuyersDevice } from '../api/isBuyersDevice.js'
import { serverError } from '../errors/serverError.js'

/** Parameters of {@link createServerClient}. */
export type CreateServerClientParameters = Omit<CreateClientParameters, 'apiKey'> & {
  /** The shop's server key, `sk_…`. An environment variable may be undefined; the function then throws. */
  apiKey: string | undefined
}

/**
 * Checks a server key and that it is used on a server.
 *
 * @throws {@link KassaError} `config.key-invalid`, which never contains the key; `config.in-browser`
 */
export const checkServerKey = (name: string, given: string | undefined): string => {
  if (isBuyersDevice()) throw serverError('config.in-browser', { name })
  const apiKey = given?.trim()
  if (!apiKey) throw serverError('config.key-invalid', { reason: 'it is missing' })
  if (apiKey.startsWith('ck_')) throw serverError('config.key-invalid', { reason: 'it is a client key' })
  // Refused here, because `fetch` would quote it in its own error.
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw serverError('config.key-invalid', { reason: 'it contains an invalid character' })
  return apiKey
}

/**
 * Creates a client of the checkout service for a shop's own server, which holds the server key. Cloudflare
 * Workers need a compatibility date of 2024-11-11 or later, or the flag `cache_option_enabled`.
 *
 * @returns A client for the functions of `kassa/api` and the options of `kassa/query`.
 * @throws {@link KassaError} `config.key-invalid` without a server key, `config.in-browser` on a buyer's
 * device, `config.base-url-invalid`
 * @example
 * ```ts
 * import { createOrder, createServerClient } from 'kassa/server'
 *
 * const client = createServerClient({
 *   baseUrl: process.env.KASSA_BASE_URL ?? 'http://localhost:4000/api',
 *   apiKey: process.env.KASSA_SERVER_KEY,
 *   // What this server prefetches is found by the browser, whose client has this as its baseUrl.
 *   publicBaseUrl: '/api/checkout',
 * })
 *
 * export const sell = (email: string) =>
 *   createOrder(client, {
 *     body: {
 *       recipient: { email },
 *       payment: { method: 'base-sepolia', currency: 'eth' },
 *       lineItems: { collectionLocator: 'kassa:poster' },
 *     },
 *   })
 * ```
 */
export const createServerClient = ({ apiKey, ...parameters }: CreateServerClientParameters): Client => ({
  ...createClient({ ...parameters, apiKey: checkServerKey('createServerClient', apiKey) }),
  // A server's `fetch` has no HTTP cache, even if a test provides a document.
  hasHttpCache: false,
})
