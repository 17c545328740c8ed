import { clientError } from '../errors/clientError.js'
import { checkBaseUrl, trimUrl } from './baseUrl.js'
import { isBuyersDevice } from './isBuyersDevice.js'

/** Parameters of {@link createClient}. */
export type CreateClientParameters = {
  /** The service's address, ending in `/api`. */
  baseUrl: string
  /** A client key in a browser, a server key on a server; calls made with a client secret need none. */
  apiKey?: string | undefined
  /**
   * The address at which browsers reach the same service, or the shop's own handler. It replaces `baseUrl` in
   * query keys, so that browsers find the data that a server has prefetched.
   */
  publicBaseUrl?: string | undefined
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch | undefined
  /** The timeout for an answer. */
  timeoutMs?: number | undefined
}

/** A client of a checkout service. */
export type Client = {
  readonly baseUrl: string
  /** Replaces `baseUrl` in query keys, if set. */
  readonly publicBaseUrl?: string | undefined
  readonly apiKey: string | undefined
  readonly fetch: typeof fetch
  readonly timeoutMs: number
  /** Whether `fetch` caches answers and revalidates them automatically, as a browser's does. */
  readonly hasHttpCache: boolean
}

/**
 * Describes a checkout service to the functions and hooks that call it.
 *
 * @throws {@link KassaError} `config.base-url-invalid`; `config.server-key-exposed` for a server key on a buyer's
 * device.
 * @example
 * ```ts
 * import { createClient } from 'kassa/api'
 *
 * const client = createClient({ baseUrl: 'http://localhost:4000/api' })
 * ```
 */
export const createClient = (parameters: CreateClientParameters): Client => {
  const { baseUrl, publicBaseUrl, apiKey, fetch, timeoutMs = 15_000 } = parameters
  if (apiKey?.trim().startsWith('sk_') && isBuyersDevice()) throw clientError('config.server-key-exposed', {})
  return {
    baseUrl: checkBaseUrl(baseUrl),
    publicBaseUrl: publicBaseUrl && trimUrl(publicBaseUrl),
    apiKey,
    // Called at the time of the request, so that a `fetch` replaced later, for example by a test, is used.
    fetch: fetch ?? ((input, init) => globalThis.fetch(input, init)),
    timeoutMs,
    hasHttpCache: fetch === undefined && 'document' in globalThis,
  }
}
