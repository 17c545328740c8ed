import { encodeBase58 } from '../../solana/base58'
import type { WalletStorage } from '../account'
import { ProviderError } from '../providerError'

/** A key of the demo wallet. */
export type DemoKey = {
  address: string
  publicKey: Uint8Array
  sign(message: Uint8Array): Promise<Uint8Array>
}

const storageKey = 'recto.demo-wallet.solana-key'
const permissionKey = 'recto.demo-wallet.solana-connected'

const seedLength = 32
/** What precedes the 32 bytes of an Ed25519 key in its PKCS #8 form. */
const pkcs8Prefix = '302e020100300506032b657004220420'

const fromHex = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

const fromBase64Url = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  )

const importKey = async (seed: string): Promise<CryptoKey> => {
  try {
    return await crypto.subtle.importKey('pkcs8', fromHex(pkcs8Prefix + seed), 'Ed25519', true, ['sign'])
  } catch (cause) {
    throw new ProviderError(4200, 'This browser has no Ed25519 keys.', { cause })
  }
}

/**
 * Returns the demo wallet's key on Solana in this browser, creating it on first use. It is stored unprotected, so use
 * it only in a sandbox.
 */
export const getKey = async (storage: WalletStorage): Promise<DemoKey> => {
  const known = storage.getItem(storageKey)
  const isKey = known !== null && /^[0-9a-f]{64}$/.test(known)
  const seed = isKey ? known : toHex(crypto.getRandomValues(new Uint8Array(seedLength)))
  if (!isKey) storage.setItem(storageKey, seed)
  const key = await importKey(seed)
  const { x = '' } = await crypto.subtle.exportKey('jwk', key)
  const publicKey = fromBase64Url(x)
  return {
    address: encodeBase58(publicKey),
    publicKey,
    sign: async (message) =>
      new Uint8Array(await crypto.subtle.sign('Ed25519', key, Uint8Array.from(message))),
  }
}

/** Deletes the key, so that the next one is new. */
export const forgetKey = (storage: WalletStorage): void => storage.removeItem(storageKey)

/** Whether the buyer lets this shop see the account. */
export const isPermitted = (storage: WalletStorage): boolean => storage.getItem(permissionKey) === 'yes'

/** Stores whether the buyer lets this shop see the account. */
export const setPermitted = (storage: WalletStorage, permitted: boolean): void =>
  permitted ? storage.setItem(permissionKey, 'yes') : storage.removeItem(permissionKey)
