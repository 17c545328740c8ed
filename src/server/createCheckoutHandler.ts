import { readOrigins } from './callerOrigin.js'
import { checkServerKey } from './createServerClient.js'
import { explainError } from './explainError.js'
import { findOperation } from './findOperation.js'
import { guardOrigin } from './guardOrigin.js'
import { openOrder } from './openOrder.js'
import { orderCart } from './orderCart.js'
import { Refusal } from './Refusal.js'
import type { CreateDraft } from './readDraft.js'
import type { CheckEdit } from './readEdit.js'

/** Parameters of {@link createCheckoutHandler}. */
export type CreateCheckoutHandlerParameters = {
  /** The service's address as this server reaches it, ending in `/api`. */
  baseUrl: string
  /** The shop's server key, `sk_…`. It is sent to create orders, and for nothing else. */
  apiKey: string | undefined
  /**
   * Turns a cart into line items: what is in it and what it costs is the shop's to say, never the browser's. It throws
   * `refuseCart(message)` for a cart that cannot be ordered; whatever else it throws is answered with 500.
   *
   * It should make the same of the same cart: a browser that tries again after an answer was lost gets its first order
   * only then, and 409 if the order would be another.
   *
   * What it says of recipient, payment and locale goes for the new order alone. Until it is paid they are the buyer's
   * own, who may change each of them through this handler, unless `editOrder` keeps them from it.
   */
  createOrder: CreateDraft
  /**
   * Looks at every edit of an order and returns what of it is let through, as it is or changed; it throws
   * `refuseCart(message)` for one that may not be. Without it a buyer may change recipient, payment and locale. It sees
   * what comes through this handler, and not what the secret opens at the service's own address. Whoever asks need not
   * hold that secret: the service looks at it afterwards.
   */
  editOrder?: CheckEdit | undefined
  /**
   * Where the browser keeps what opens its order. `'secret'`, the default: the answer holds the client secret, which
   * the page keeps. `'cookie'`: the secret stays in an HttpOnly cookie that no script can read, and `clientSecret` in
   * the answer is empty.
   */
  session?: 'secret' | 'cookie' | undefined
  /**
   * Other origins whose pages may call, such as `https://shop.example`; the handler's own always may. With cookies
   * they have to be of the same site, and their client's `fetch` has to send `credentials: 'include'`.
   */
  origins?: readonly string[] | undefined
  /**
   * Hears what was no buyer's fault: what `createOrder` or `editOrder` threw, a key the service does not accept, a
   * service that is away. Without it, that goes to the console.
   */
  onError?: ((error: unknown) => void) | undefined
  /** Stands in for the global `fetch`. */
  fetch?: typeof fetch | undefined
  /** How long the service, `createOrder`, `editOrder` and the body may each take; 15 s by default. */
  timeoutMs?: number | undefined
}

/**
 * Makes the shop's own checkout endpoint, of the web's own kind, for a route of Next.js, Hono, Remix, Bun, a worker.
 * It creates orders with the server key from what the shop's function makes of a cart, and lets the holder of an
 * order's secret read it, edit it, renew its price and report its payment. Nothing else passes.
 *
 * Mount it below a path of your choice, and give the browser `createClient({ baseUrl: '/api/checkout' })` of that
 * path: every hook and part works through it. All buyers create orders on the allowance of the one server key, of which
 * none of them is told how much is left: limit how often a visitor may, in front of the handler or by your platform.
 * In Cloudflare Workers it takes a compatibility date of 2024-11-11 or later, or the flag `cache_option_enabled`.
 *
 * @returns Answers in the interface's own form: the service's status, `ETag`, `Retry-After`, `x-request-id`, and
 * `RateLimit-*` of the calls on one order; 400 for a cart that was refused, or for a field that a browser may not give; 403 for a page of
 * another origin; 413 over 64 KiB; 503 or 504 while the service is away; 500 without details for the shop's own
 * faults, an unfit key among them, which is looked at with the first request so that an app builds without it.
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
  origins: given = [],
  onError,
  fetch = (input, init) => globalThis.fetch(input, init),
  timeoutMs = 15_000,
}: CreateCheckoutHandlerParameters): ((request: Request) => Promise<Response>) => {
  const origins = readOrigins(given)
  const service = { baseUrl: baseUrl.replace(/(?<!\/)\/+$/, ''), fetch, timeoutMs }
  const isByCookie = session === 'cookie'
  const tell = (error: unknown): void => {
    if (onError) onError(error)
    else console.error('A checkout request was not handled.', error)
  }
  const handle = async (request: Request): Promise<Response> => {
    const operation = findOperation(request)
    if (!operation) throw new Refusal(404, 'Not found')
    if (operation.name !== 'createOrder')
      return openOrder(service, operation, request, { isByCookie, checkEdit: editOrder })
    const key = checkServerKey('createCheckoutHandler', apiKey)
    return orderCart(service, request, { apiKey: key, createOrder, isByCookie, tell })
  }
  return guardOrigin({ origins, isByCookie }, async (request) => {
    try {
      return await handle(request)
    } catch (error) {
      const { response, isOurs } = explainError(error)
      // A buyer who has left is nobody's fault.
      if (isOurs && !request.signal.aborted) tell(error instanceof Refusal ? error.cause : error)
      return response
    }
  })
}
