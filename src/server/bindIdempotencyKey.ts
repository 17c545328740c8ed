import { Refusal } from './Refusal.js'

const isGuessable = (key: string): boolean => !/^[\w-]{22,255}$/.test(key) || new Set(key).size < 8

/**
 * Turns a browser's idempotency key into the one the service is given.
 *
 * All buyers of a shop order with the same server key, so to the service a second buyer with the key and the cart of
 * a first is the first one asking again, and would be given their order and its secret. Nothing else tells the two
 * apart: the cookie that could is set by the very answer that may have been lost. So the key has to be a secret of
 * the one browser. One that could be guessed is refused, and what the service and its logs see is a keyed hash, which
 * cannot be turned back and never is a key that the shop's own server uses. Where buyers log in, their id in the
 * `metadata` of the order has the service refuse (409) whoever else comes with the key.
 *
 * @param name - Whose keys these are: the same one is another under another name.
 * @throws {@link Refusal} 400 for a key that could be guessed.
 */
export const bindIdempotencyKey = async (
  key: string | null,
  apiKey: string,
  name = 'kassa checkout handler',
): Promise<string | undefined> => {
  if (key === null) return undefined
  if (isGuessable(key))
    throw new Refusal(400, 'x-idempotency-key: expected a random value of 128 bits or more, such as a UUID')
  const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const secret = await crypto.subtle.importKey('raw', encode(apiKey), algorithm, false, ['sign'])
  const hash = await crypto.subtle.sign('HMAC', secret, encode(`${name}\n${key}`))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
