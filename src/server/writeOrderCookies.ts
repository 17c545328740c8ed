import { cookiePrefix, isOrderId, type OpenedOrder, orderCookie, readCookies } from './orderCookie.js'

/**
 * The most orders whose secrets a browser holds. Every request sends all cookies, and servers limit their
 * size.
 */
const maxOrders = 20

const write = (name: string, value: string, maxAge: number, isSecure: boolean): string =>
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
  return [write(name, value, maxAge, isSecure), ...ended.map((old) => write(old, '', 0, isSecure))]
}
