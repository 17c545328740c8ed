import { apiError } from '../errors/apiError.js'

/** Where the service is, and how long to wait for it. */
export type ServiceAddress = { baseUrl: string; fetch: typeof fetch; timeoutMs: number }

/** One request to the service. */
export type ServiceRequest = {
  method: string
  /** Below `baseUrl`, beginning with a slash. */
  path: string
  headers: Readonly<Record<string, string>>
  body?: unknown
}

/** What the service answered, read to its end. */
export type ServiceAnswer = { status: number; headers: Headers; text: string }

/**
 * Makes one request to the service and reads the whole answer in time, unless the buyer leaves before.
 *
 * @throws {@link KassaError} `api.unreachable`, `api.timeout`; the buyer's own reason when they leave.
 */
export const callService = async (
  { baseUrl, fetch, timeoutMs }: ServiceAddress,
  { method, path, headers, body }: ServiceRequest,
  buyer: AbortSignal,
): Promise<ServiceAnswer> => {
  buyer.throwIfAborted()
  const url = `${baseUrl}${path}`
  // Two signals in one by hand: not every runtime at the edge has `AbortSignal.any`.
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
      // Next.js, before 15, keeps what a route fetches.
      cache: 'no-store',
      // Whom the service would send us to must not be shown the key.
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
