import { causes, readProperty } from '../chain/causes.js'
import { passkeyError } from '../errors/passkeyError.js'

/**
 * Checks that there can be passkeys where this runs.
 *
 * @throws {@link KassaError} `passkey.unavailable`
 */
export const checkPasskeys = (): void => {
  if (readProperty(globalThis, 'isSecureContext') === false)
    throw passkeyError('passkey.unavailable', { reason: 'the page did not come over https' })
  if (!('PublicKeyCredential' in globalThis))
    throw passkeyError('passkey.unavailable', { reason: 'this browser has none' })
}

/**
 * Whether the browser can be asked for passkeys, so that a page offers them only then. It asks nobody. On a server it
 * is false, so a page reads it after it is mounted.
 */
export const hasPasskeys = (): boolean => {
  try {
    checkPasskeys()
    return true
  } catch {
    return false
  }
}

const nameOf = (error: unknown): string => String(readProperty(error, 'name'))

/** Whether nothing came of a passkey because its user declined, or did not answer in time. */
export const isDeclined = (error: unknown): boolean =>
  causes(error).some((cause) => nameOf(cause) === 'NotAllowedError' || nameOf(cause) === 'AbortError')

/** Why nothing came of a passkey, by the name that the browser gives it. */
export const getPasskeyReason = (error: unknown): string => nameOf(causes(error).at(-1))
