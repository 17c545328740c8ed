import { checkBaseUrl } from '../api/baseUrl.js'
import { checkServerKey } from './createServerClient.js'
import { findOperation } from './findOperation.js'
import { HttpError } from './HttpError.js'
import { openHandler } from './openHandler.js'
import { followOrder, openOrder } from './openOrder.js'
import { orderCart } from './orderCart.js'
import type { CreateDraft } from './readDraft.js'
import type { CheckEdit } from './readEdit.js'

/** Parameters of {@link createCheckoutHandler}. */
export type CreateCheckoutHandlerParameters = {
  /** The service's address for this server, ending in `/api`. */
  baseUrl: string
  /** The shop's server key, `sk_…`. The handler uses it only to create orders. */
  apiKey: string | undefined
  /**
   * Turns a cart into line items. The shop decides what a cart contains and costs, never the browser. It
   * throws `refuseCart(message)` for a cart that cannot be ordered; any other error is answered with 500.
   *
   * It should return the same for the same cart. A browser that retries after a lost answer gets its first
   * order only then, and 409 if the order would differ.
   *
   * The recipient, payment and locale it returns apply to the new order only. Until the order is paid, the
   * buyer may change each of them through this handler, unless `editOrder` prevents it.
   */
  createOrder: CreateDraft
  /**
   * Checks every edit of an order and returns the allowed fields, unchanged or modified. It throws
   * `refuseCart(message)` to refuse. Without it a buyer may change recipient, payment, locale and promotion code. It sees
   * only edits through this handler, not those made with the secret at the service's own address. It runs
   * before the service checks the secret, so the caller may not hold it.
   */
  editOrder?: CheckEdit | undefined
  /**
   * Where the browser keeps an order's secret. `'secret'`, the default: the answer contains the client
   * secret, and the page keeps it. `'cookie'`: the secret stays in an HttpOnly cookie that no script can
   * read, and `clientSecret` in the answer is empty.
   */
  session?: 'secret' | 'cookie' | undefined
  /**
   * Whether pages may follow an order over a stream, which shows every change at once. By default a page polls,
   * because a stream is one request that lasts as long as the buyer looks at an unfinished order: some platforms
   * limit or bill that time. Switch it on where the shop runs as a server.
   */
  stream?: boolean | undefined
  /**
   * Further origins whose pages may call, such as `https://shop.example`. The handler's own origin always
   * may. With cookies they must be same-site, and their client's `fetch` must send `credentials: 'include'`.
   */
  origins?: readonly string[] | undefined
  /**
   * Receives errors that the buyer did not cause: what `createOrder` or `editOrder` threw, a key the service
   * rejects, an unavailable service. By default they go to the console.
   */
  onError?: ((error: unknown) => void) | undefined
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch | undefined
  /** The timeout for each of the service, `createOrder`, `editOrder` and the body. By default 15 s. */
  timeoutMs?: number | undefined
}

/**
 * Creates the shop's own checkout endpoint as a web-standard handler for a route of Next.js, Hono, Remix, Bun
 * or a worker. It creates orders with the server key from the shop's cart function. The holder of an order's
 * secret can read it, follow it, list the ways to pay it, edit it, renew its price, report its payment and pay it by a
 * signature. All other calls are refused.
 *
 * Mount it under a path of your choice, and give the browser a client of that path: `createClient({ baseUrl:
 * '/api/checkout' })`. Every hook and part works through it. All buyers share the rate limit of the one
 * server key, and the answers do not reveal how much of it is left. Limit visitors in front of the handler or
 * with your platform. Cloudflare Workers need a compatibility date of 2024-11-11 or later, or the flag
 * `cache_option_enabled`.
 *
 * @returns Answers in the interface's form: the service's status, `ETag`, `Retry-After`, `x-request-id`, and
 * `RateLimit-*` for the calls on one order; 400 for a refused cart, or for a field that a browser may not
 * send; 403 for a page of another origin; 413 over 64 KiB; 503 or 504 while the service is unavailable; 500
 * without details for the shop's own faults, including an invalid key or `baseUrl`. Both are checked at the
 * first request, so that an app builds without them.
 * @throws {@link KassaError} `config.origin-invalid`
 * @source interface.md "Create order", "Get order"; answers.md "Create order, edit order"
 * @example
 * ```ts
 * import { createCheckoutHandler, refuseCart } from 'kassa/server'
 *
 * // app/api/checkout/[...path]/route.ts of a Next.js app
 * const handler = createCheckoutHandler({
 *   baseUrl: process.env.KASSA_BASE_URL ?? 'http://localhost:4000/api',
 *   apiKey: process.env.KASSA_SERVER_KEY,
 *   session: 'cookie',
 *   createOrder: (cart) => {
 *     if (cart !== 'poster') throw refuseCart('Only the poster is on sale.')
 *     return { lineItems: [{ collectionLocator: 'kassa:poster' }] }
 *   },
 * })
 *
 * export { handler as GET, handler as PATCH, handler as POST }
 * ```
 */
export const createCheckoutHandler = ({
  baseUrl,
  apiKey,
  createOrder,
  editOrder,
  session = 'secret',
  stream = false,
  origins = [],
  onError,
  fetch = (input, init) => globalThis.fetch(input, init),
  timeoutMs = 15_000,
}: CreateCheckoutHandlerParameters): ((request: Request) => Promise<Response>) => {
  const isByCookie = session === 'cookie'
  const frame = { kind: 'checkout', origins, isByCookie, onError } as const
  return openHandler(frame, async (request, tell) => {
    const operation = findOperation(request)
    if (!operation) throw new HttpError(404, 'Not found')
    const { name } = operation
    const service = { baseUrl: checkBaseUrl(baseUrl), fetch, timeoutMs }
    if (name === 'streamOrder') {
      if (stream) return followOrder(service, operation.orderId, { request, isByCookie })
      // With this answer, a page polls.
      return new Response(null, { status: 204 })
    }
    if (name !== 'createOrder') {
      const asked = { name, orderId: operation.orderId }
      return openOrder(service, asked, { request, isByCookie, checkEdit: editOrder })
    }
    const key = checkServerKey('createCheckoutHandler', apiKey)
    return orderCart(service, request, { apiKey: key, createOrder, isByCookie, tell })
  })
}
