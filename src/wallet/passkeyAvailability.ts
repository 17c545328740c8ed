import { causes, readProperty } from '../chain/evm/causes.js'
import { passkeyError } from '../errors/passkeyError.js'

/**
 * Checks that passkeys are available here.
 *
 * @throws {@link KassaError} `passkey.unavailable`
 */
export const checkPasskeys = (): void => {
  if (readProperty(globalThis, 'isSecureContext') === false)
    throw passkeyError('passkey.unavailable', { reason: 'the page was not served over HTTPS' })
  if (!('PublicKeyCredential' in globalThis))
    throw passkeyError('passkey.unavailable', { reason: 'this browser does not support them' })
}

/**
 * Whether the browser supports passkeys, so that a page offers them only then. It does not prompt the user.
 * On a server it is false, so read it after mounting.
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

/** Whether a passkey failed because its user declined or did not answer in time. */
export const isDeclined = (error: unknown): boolean =>
  causes(error).some((cause) => nameOf(cause) === 'NotAllowedError' || nameOf(cause) === 'AbortError')

/** Returns the browser's name for a passkey's failure. */
export const getPasskeyReason = (error: unknown): string => nameOf(causes(error).at(-1))
