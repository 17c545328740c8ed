import type { Hex } from 'viem'
import { isKassaError } from '../errors/KassaError.js'
import { passkeyError } from '../errors/passkeyError.js'
import { checkPasskeys, getPasskeyReason, isDeclined } from './passkeyAvailability.js'

/** Parameters of {@link createPasskey}. */
export type CreatePasskeyParameters = {
  /** What the user calls it, in their list of passkeys: their e-mail address, say. */
  name: string
  /** The shop. `id` is its domain, the page's own by default; the passkey is good there and below it. */
  rp?: { id?: string | undefined; name?: string | undefined } | undefined
  /** Ids of passkeys that the user has: a device that holds one of them makes no second. */
  excludeIds?: readonly string[] | undefined
}

/** A passkey, as `config.adminSigner` of a new wallet takes it. */
export type Passkey = {
  type: 'evm-passkey'
  id: string
  publicKey: { x: Hex; y: Hex }
  name: string
}

/**
 * Has the browser make a passkey, which then signs for a smart wallet. Call it from a click. The key never leaves the
 * user's devices: who loses all that hold it, loses the wallet.
 *
 * @returns What `config.adminSigner` of a new wallet takes.
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
