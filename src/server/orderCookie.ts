import { inputError } from '../errors/inputError.js'

/** An order and the secret that opens it. */
export type OpenedOrder = { orderId: string; clientSecret: string }

/** A cookie that holds an order's client secret: what `jar.set(cookie)` of Next.js takes. */
export type OrderCookie = {
  name: string
  value: string
  path: '/'
  httpOnly: true
  sameSite: 'lax'
  secure: boolean
  maxAge: number
}

/** Cookies as a request has them: the header, or what reads it by name, such as `await cookies()` of Next.js. */
export type RequestCookies = string | null | undefined | { get(name: string): { value: string } | undefined }

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text is an order's id, which alone may become part of a cookie's name or a path. */
export const isOrderId = (text: string): boolean => uuid.test(text)

/** How the cookie of an order is called. */
export const cookieName = (orderId: string): string => `kassa-order-${orderId.toLowerCase()}`

/**
 * Makes the cookie that lets a browser come back to its order, without any script being able to read the secret.
 *
 * @param options - `isSecure` says whether the shop is visited over https; the cookie lasts 7 days by default.
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
 * // With Next.js: (await cookies()).set(cookie)
 * export const { name, value, ...attributes } = cookie
 * ```
 */
export const orderCookie = (
  { orderId, clientSecret }: OpenedOrder,
  { isSecure, maxAgeSeconds = 7 * 24 * 60 * 60 }: { isSecure: boolean; maxAgeSeconds?: number | undefined },
): OrderCookie => {
  if (!isOrderId(orderId)) throw inputError('input.id-invalid', { name: 'orderId' })
  return {
    name: cookieName(orderId),
    value: clientSecret,
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure,
    maxAge: maxAgeSeconds,
  }
}

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The names and values of a `Cookie` header, in the order a browser sends them: older ones first. */
export const readCookies = (header: string): [name: string, value: string][] =>
  header.split(';').flatMap((pair): [string, string][] => {
    const at = pair.indexOf('=')
    return at < 0 ? [] : [[pair.slice(0, at).trim(), pair.slice(at + 1).trim()]]
  })

/**
 * Reads the client secret of an order from its cookie.
 *
 * @returns The secret; undefined when this browser holds none, or one that no service gives.
 * @example
 * ```ts
 * import { readOrderCookie } from 'kassa/server'
 *
 * export const mayOpen = (request: Request, orderId: string): boolean =>
 *   readOrderCookie(request.headers.get('cookie'), orderId) !== undefined
 * ```
 */
export const readOrderCookie = (cookies: RequestCookies, orderId: string): string | undefined => {
  if (!isOrderId(orderId)) return undefined
  const name = cookieName(orderId)
  const value =
    typeof cookies === 'object' && cookies !== null
      ? cookies.get(name)?.value
      : decode(readCookies(cookies ?? '').find(([known]) => known === name)?.[1] ?? '')
  // What no header can hold would be quoted in an error on its way to the service.
  return value && /^[\x21-\x7e]{1,512}$/.test(value) ? value : undefined
}
