import { inputError } from '../errors/inputError.js'
import { isSecure, type ShopVisit } from './guardOrigin.js'

/** An order and the secret that opens it. */
export type OpenedOrder = { orderId: string; clientSecret: string }

/** A cookie that holds an order's client secret, in the form that Next.js's `jar.set(cookie)` takes. */
export type OrderCookie = {
  name: string
  value: string
  path: '/'
  httpOnly: true
  sameSite: 'lax'
  secure: boolean
  maxAge: number
}

/**
 * Whether the shop is visited over https: the request or its headers to read it from, or the answer itself.
 */
export type CookieVisit = ShopVisit | { isSecure: boolean }

/**
 * A request's cookies: the header, or an object that reads it by name, such as `await cookies()` of Next.js.
 */
export type RequestCookies = string | null | undefined | { get(name: string): { value: string } | undefined }

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text is an order's id. Only an id may become part of a cookie's name or a path. */
export const isOrderId = (text: string): boolean => uuid.test(text)

// Browsers accept a `__Host-` cookie only from the shop's own host, so that no sibling host can plant an
// order.
const prefixes = { secure: '__Host-kassa-order-', plain: 'kassa-order-' } as const

/** Returns the prefix of the order cookies' names. */
const cookiePrefix = (isSecure: boolean): string => (isSecure ? prefixes.secure : prefixes.plain)

const cookieName = (orderId: string, isSecure: boolean): string =>
  `${cookiePrefix(isSecure)}${orderId.toLowerCase()}`

const isSecureVisit = (visit: CookieVisit): boolean =>
  'isSecure' in visit ? visit.isSecure : isSecure(visit)

/**
 * Creates the cookie that lets a browser return to its order, without any script being able to read the
 * secret. Over https its name begins with `__Host-`, so that no other host can set it.
 *
 * @param options - Whether the shop is visited over https: the request's `headers`, which are read as
 * `createCheckoutHandler` does, or `isSecure`. The cookie lasts 7 days by default.
 * @throws {@link KassaError} `input.id-invalid`
 * @example
 * ```ts
 * import { orderCookie } from 'kassa/server'
 *
 * const cookie = orderCookie(
 *   { orderId: '4cb6f8a4-6a3c-4a5e-9c9a-6a8d3c2f1b0e', clientSecret: 'cs_...' },
 *   { isSecure: true },
 * )
 *
 * // With Next.js: { headers: await headers() } in place of isSecure, and (await cookies()).set(cookie)
 * export const { name, value, ...attributes } = cookie
 * ```
 */
export const orderCookie = (
  { orderId, clientSecret }: OpenedOrder,
  options: CookieVisit & { maxAgeSeconds?: number | undefined },
): OrderCookie => {
  if (!isOrderId(orderId)) throw inputError('input.id-invalid', { name: 'orderId' })
  const secure = isSecureVisit(options)
  return {
    name: cookieName(orderId, secure),
    value: clientSecret,
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge: options.maxAgeSeconds ?? 7 * 24 * 60 * 60,
  }
}

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Returns the names and values of a `Cookie` header in the browser's order, older ones first. */
const readCookies = (header: string): [name: string, value: string][] =>
  header.split(';').flatMap((pair): [string, string][] => {
    const at = pair.indexOf('=')
    return at < 0 ? [] : [[pair.slice(0, at).trim(), pair.slice(at + 1).trim()]]
  })

/**
 * Reads the client secret of an order from its cookie.
 *
 * @param visit - The request or its headers, such as `{ headers: await headers() }`. Over https, cookies that
 * another host could have set are ignored. Without it, such a cookie counts if there is no better one.
 * @returns The secret; undefined when this browser holds none, or an invalid one.
 * @example
 * ```ts
 * import { readOrderCookie } from 'kassa/server'
 *
 * export const mayOpen = (request: Request, orderId: string): boolean =>
 *   readOrderCookie(request.headers.get('cookie'), orderId, request) !== undefined
 * ```
 */
export const readOrderCookie = (
  cookies: RequestCookies,
  orderId: string,
  visit?: CookieVisit,
): string | undefined => {
  if (!isOrderId(orderId)) return undefined
  const read = (name: string): string | undefined =>
    typeof cookies === 'object' && cookies !== null
      ? cookies.get(name)?.value
      : decode(readCookies(cookies ?? '').find(([known]) => known === name)?.[1] ?? '')
  const isPlainEnough = !visit || !isSecureVisit(visit)
  const value = read(cookieName(orderId, true)) || (isPlainEnough && read(cookieName(orderId, false)))
  // `fetch` would quote a value that no header can hold in its own error.
  return value && /^[\x21-\x7e]{1,512}$/.test(value) ? value : undefined
}

/**
 * The most orders whose secrets a browser holds. Every request sends all cookies, and servers limit their
 * size.
 */
const maxOrders = 20

type WrittenCookie = { name: string; value: string; maxAge: number; isSecure: boolean }

const write = ({ name, value, maxAge, isSecure }: WrittenCookie): string =>
  `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`

/**
 * Writes the cookie of a new order, and expires the oldest ones when a browser holds too many.
 *
 * @param held - The request's `Cookie` header.
 * @returns Values of `Set-Cookie` headers.
 */
export const writeOrderCookies = (order: OpenedOrder, held: string | null, isSecure: boolean): string[] => {
  const { name, value, maxAge } = orderCookie(order, { isSecure })
  const prefix = cookiePrefix(isSecure)
  const others = new Set(
    readCookies(held ?? '')
      .map(([known]) => known)
      .filter((known) => known !== name && known.startsWith(prefix) && isOrderId(known.slice(prefix.length))),
  )
  const ended = [...others].slice(0, Math.max(0, others.size + 1 - maxOrders))
  return [
    write({ name, value, maxAge, isSecure }),
    ...ended.map((old) => write({ name: old, value: '', maxAge: 0, isSecure })),
  ]
}
