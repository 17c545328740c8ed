import { apiError } from '../errors/apiError.js'

/** The service's address, and how long to wait for it. */
export type ServiceAddress = { baseUrl: string; fetch: typeof fetch; timeoutMs: number }

/** One request to the service. */
export type ServiceRequest = {
  method: string
  /** Relative to `baseUrl`, with a leading slash. */
  path: string
  headers: Readonly<Record<string, string>>
  body?: unknown
}

/** The service's complete answer. */
export type ServiceAnswer = { status: number; headers: Headers; text: string }

/**
 * Sends one request to the service and reads the whole answer within the timeout, unless the buyer
 * disconnects.
 *
 * @throws {@link KassaError} `api.unreachable`, `api.timeout`; the abort reason when the buyer disconnects.
 */
export const callService = async (
  { baseUrl, fetch, timeoutMs }: ServiceAddress,
  { method, path, headers, body }: ServiceRequest,
  buyer: AbortSignal,
): Promise<ServiceAnswer> => {
  buyer.throwIfAborted()
  const url = `${baseUrl}${path}`
  // Combined by hand, because not every edge runtime has `AbortSignal.any`.
  const controller = new AbortController()
  const giveUp = (): void => controller.abort(buyer.reason)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    controller.abort()
  }, timeoutMs)
  buyer.addEventListener('abort', giveUp)
  try {
    const response = await fetch(url, {
      method,
      headers: { accept: 'application/json', ...headers },
      // Next.js before 15 caches a route's requests.
      cache: 'no-store',
      // The target of a redirect must not receive the key.
      redirect: 'manual',
      signal: controller.signal,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (cause) {
    if (buyer.aborted) throw buyer.reason
    if (isLate) throw apiError('api.timeout', { url, timeoutMs }, { cause })
    throw apiError('api.unreachable', { url }, { cause })
  } finally {
    clearTimeout(timer)
    buyer.removeEventListener('abort', giveUp)
  }
}
