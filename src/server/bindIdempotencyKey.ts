import { HttpError } from './HttpError.js'

const isGuessable = (key: string): boolean => !/^[\w-]{22,255}$/.test(key) || new Set(key).size < 8

/**
 * Derives the idempotency key for the service from a browser's key.
 *
 * All buyers of a shop order with the same server key. If a second buyer sent the key and the cart of a
 * first, the service would take it for a repetition and return the first buyer's order with its secret.
 * Nothing else distinguishes the two: the cookie that could is set by the answer that may have been lost. So
 * the key must be a secret of one browser. A guessable key is refused. The service and its logs see a keyed
 * hash, which cannot be reversed and never equals a key that the shop's own server uses. If buyers log in,
 * put their id in the order's `metadata`; the service then refuses (409) another buyer with the same key.
 *
 * @param name - The namespace of the keys. The same key gives a different result under another name.
 * @throws {@link HttpError} 400 for a key that could be guessed.
 */
export const bindIdempotencyKey = async (
  key: string | null,
  apiKey: string,
  name = 'kassa checkout handler',
): Promise<string | undefined> => {
  if (key === null) return undefined
  if (isGuessable(key))
    throw new HttpError(400, 'x-idempotency-key: expected a random value of 128 bits or more, such as a UUID')
  const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const secret = await crypto.subtle.importKey('raw', encode(apiKey), algorithm, false, ['sign'])
  const hash = await crypto.subtle.sign('HMAC', secret, encode(`${name}\n${key}`))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
