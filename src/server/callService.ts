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
 * Sends one request to the service and reads its answer within the timeout, unless the buyer disconnects.
 *
 * @throws {@link KassaError} `api.unreachable`, `api.timeout`; the abort reason when the buyer disconnects.
 */
const request = async <Answer>(
  { baseUrl, fetch, timeoutMs }: ServiceAddress,
  { method, path, headers, body }: ServiceRequest,
  { buyer, read }: { buyer: AbortSignal; read: (response: Response) => Promise<Answer> },
): Promise<Answer> => {
  buyer.throwIfAborted()
  const url = `${baseUrl}${path}`
  // Combined by hand, because not every edge runtime has `AbortSignal.any`.
  const controller = new AbortController()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    controller.abort()
  }, timeoutMs)
  buyer.addEventListener('abort', () => controller.abort(buyer.reason))
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
    return await read(response)
  } catch (cause) {
    if (buyer.aborted) throw buyer.reason
    if (isLate) throw apiError('api.timeout', { url, timeoutMs }, { cause })
    throw apiError('api.unreachable', { url }, { cause })
  } finally {
    clearTimeout(timer)
  }
}

const readAnswer = async (response: Response): Promise<ServiceAnswer> => ({
  status: response.status,
  headers: response.headers,
  text: await response.text(),
})

/**
 * Sends one request to the service and reads the whole answer within the timeout, unless the buyer
 * disconnects.
 *
 * @throws {@link KassaError} `api.unreachable`, `api.timeout`; the abort reason when the buyer disconnects.
 */
export const callService = (
  service: ServiceAddress,
  sent: ServiceRequest,
  buyer: AbortSignal,
): Promise<ServiceAnswer> => request(service, sent, { buyer, read: readAnswer })

/**
 * Opens a stream of the service, which ends when the buyer disconnects.
 *
 * @returns The stream, or the service's whole answer if it is none.
 * @throws {@link KassaError} as {@link callService}.
 */
export const openServiceStream = (
  service: ServiceAddress,
  sent: ServiceRequest,
  buyer: AbortSignal,
): Promise<ServiceAnswer | { stream: ReadableStream<Uint8Array> }> =>
  request(service, sent, {
    buyer,
    read: async (response) =>
      response.status === 200 && response.body ? { stream: response.body } : readAnswer(response),
  })
