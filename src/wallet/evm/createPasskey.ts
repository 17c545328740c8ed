import type { Hex } from 'viem'
import { isKassaError } from '../../errors/KassaError.js'
import { passkeyError } from '../../errors/passkeyError.js'
import { checkPasskeys, getPasskeyReason, isDeclined } from '../passkeyAvailability.js'

/** Parameters of {@link createPasskey}. */
export type CreatePasskeyParameters = {
  /** The passkey's name in the user's list of passkeys, for example their e-mail address. */
  name: string
  /**
   * The shop. `id` is its domain, by default the page's own. The passkey works on it and on its subdomains.
   */
  rp?: { id?: string | undefined; name?: string | undefined } | undefined
  /** Ids of the user's existing passkeys. A device that holds one of them creates no second. */
  excludeIds?: readonly string[] | undefined
}

/** A passkey in the form of a new wallet's `config.adminSigner`. */
export type Passkey = {
  type: 'evm-passkey'
  id: string
  publicKey: { x: Hex; y: Hex }
  name: string
}

/**
 * Creates a passkey in the browser that then signs for a smart wallet. Call it from a click. The key never
 * leaves the user's devices: a user who loses all of them loses the wallet.
 *
 * @returns The value for a new wallet's `config.adminSigner`.
 * @throws {@link KassaError} `passkey.unavailable`, `passkey.rejected`, `passkey.failed`
 * @example
 * ```ts
 * import { type Client, createWallet } from 'kassa/api'
 * import { createPasskey } from 'kassa/wallet'
 *
 * export const createPasskeyWallet = async (client: Client, name: string) => {
 *   const adminSigner = await createPasskey({ name })
 *   return createWallet(client, { body: { type: 'evm-smart-wallet', config: { adminSigner } } })
 * }
 * ```
 */
export const createPasskey = async ({
  name,
  rp = {},
  excludeIds = [],
}: CreatePasskeyParameters): Promise<Passkey> => {
  checkPasskeys()
  try {
    const { createCredential } = await import('./webAuthn.js')
    const { hostname } = globalThis.location
    const shop = { id: rp.id ?? hostname, name: rp.name ?? hostname }
    const { id, publicKey } = await createCredential({ name, rp: shop, excludeIds })
    return {
      type: 'evm-passkey',
      id,
      publicKey: { x: `0x${publicKey.slice(2, 66)}`, y: `0x${publicKey.slice(66, 130)}` },
      name,
    }
  } catch (cause) {
    if (isKassaError(cause)) throw cause
    if (isDeclined(cause)) throw passkeyError('passkey.rejected', {}, { cause })
    throw passkeyError('passkey.failed', { reason: getPasskeyReason(cause) }, { cause })
  }
}
