import { createHash, timingSafeEqual } from 'node:crypto'

// Digests have equal length, so the comparison does not reveal where two passwords differ.
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Whether a request carries the shop's password as HTTP basic authentication. The user name does not matter.
 *
 * @param authorization - The `Authorization` header: `Basic <base64 of name:password>`.
 */
export const isShopkeeper = (authorization: string | null, password: string): boolean => {
  const [, base64] = /^Basic ([\w+/]+=*)$/i.exec(authorization ?? '') ?? []
  const [, given] = /^[^:]*:(.*)$/s.exec(Buffer.from(base64 ?? '', 'base64').toString('utf8')) ?? []
  return given !== undefined && timingSafeEqual(digest(given), digest(password))
}
