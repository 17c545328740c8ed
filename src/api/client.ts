/** How to reach a checkout service. */
export type CreateClientParameters = {
  /** The service's address, ending in `/api`. */
  baseUrl: string
  /** A client key in a browser, a server key on a server; calls made with a client secret need none. */
  apiKey?: string | undefined
  /**
   * Where browsers find the same service, or the shop's own handler before it. It takes the place of `baseUrl` in
   * query keys, so that what a server has read is found by the browser.
   */
  publicBaseUrl?: string | undefined
  /** Stands in for the global `fetch`. */
  fetch?: typeof fetch | undefined
  /** How long to wait for an answer before giving up. */
  timeoutMs?: number | undefined
}

/** A checkout service, as the functions of this folder address it. */
export type Client = {
  readonly baseUrl: string
  /** What takes the place of `baseUrl` in query keys, if anything does. */
  readonly publicBaseUrl?: string | undefined
  readonly apiKey: string | undefined
  readonly fetch: typeof fetch
  readonly timeoutMs: number
  /** Whether `fetch` caches answers and revalidates them automatically, as a browser's does. */
  readonly hasHttpCache: boolean
}

const trim = (url: string): string => url.replace(/(?<!\/)\/+$/, '')

/**
 * Describes a checkout service to the functions and hooks that call it.
 *
 * @example
 * ```ts
 * import { createClient } from 'kassa/api'
 *
 * const client = createClient({ baseUrl: 'http://localhost:4000/api' })
 * ```
 */
export const createClient = (parameters: CreateClientParameters): Client => ({
  baseUrl: trim(parameters.baseUrl),
  publicBaseUrl: parameters.publicBaseUrl && trim(parameters.publicBaseUrl),
  apiKey: parameters.apiKey,
  // Called at the time of the request: a `fetch` replaced later, in a test say, is the one that is used.
  fetch: parameters.fetch ?? ((input, init) => globalThis.fetch(input, init)),
  timeoutMs: parameters.timeoutMs ?? 15_000,
  hasHttpCache: parameters.fetch === undefined && 'document' in globalThis,
})
