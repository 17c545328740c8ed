import { createHash, timingSafeEqual } from 'node:crypto'

// Of one length, so that comparing them tells nothing of where they differ.
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Whether a request names the shop's password, as a browser that was asked for one does. The name that is given with
 * it does not matter.
 *
 * @param authorization - The header of that name: `Basic <base64 of name:password>`.
 */
export const isShopkeeper = (authorization: string | null, password: string): boolean => {
  const [, base64] = /^Basic ([\w+/]+=*)$/i.exec(authorization ?? '') ?? []
  const [, given] = /^[^:]*:(.*)$/s.exec(Buffer.from(base64 ?? '', 'base64').toString('utf8')) ?? []
  return given !== undefined && timingSafeEqual(digest(given), digest(password))
}
