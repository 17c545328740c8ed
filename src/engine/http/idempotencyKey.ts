import { canonicalJson } from '../canonicalJson.js'
import { invalid } from '../invalidInput.js'
import { Refusal } from '../refusal.js'
import { parseBody } from './parseBody.js'

const field = 'x-idempotency-key'
const longestKey = 255
/** A client key is public, so with a guessable idempotency key, another caller could read the reply. */
const shortestClientKey = 22

/**
 * Checks the length of an idempotency key.
 *
 * @param isClientKey - Whether the caller has a client key.
 * @throws {@link InvalidInput}
 */
export const assertIdempotencyKey = (key: string, isClientKey: boolean): void => {
  if (!key || key.length > longestKey) throw invalid(field, `expected 1 to ${longestKey} characters`)
  if (!isClientKey || key.length >= shortestClientKey) return
  const expected = `expected ${shortestClientKey} to ${longestKey} characters`
  throw invalid(field, `${expected} with a client key, such as a UUID`)
}

/**
 * Returns a body's content, independently of the order of its fields. A body that is not JSON stays as it is,
 * and the operation refuses it.
 */
export const contentOf = (text: string): string => {
  try {
    return canonicalJson(parseBody(text))
  } catch {
    return text
  }
}

/** Returns the refusal of an idempotency key under which another body was sent. */
export const usedIdempotencyKey = () => new Refusal('conflict', `${field}: already used with another body`)
