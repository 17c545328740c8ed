import type { Hex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

/** The part of the Web Storage interface that the demo wallet needs. */
export type WalletStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const storageKey = 'recto.demo-wallet.key'
const permissionKey = 'recto.demo-wallet.connected'

const isKey = (text: string | null): text is Hex => text !== null && /^0x[0-9a-f]{64}$/.test(text)

/**
 * Returns the demo wallet's account in this browser, creating it on first use. Its key is stored unprotected,
 * so use it only in a sandbox.
 */
export const getAccount = (storage: WalletStorage): PrivateKeyAccount => {
  const known = storage.getItem(storageKey)
  if (isKey(known)) return privateKeyToAccount(known)
  const key = generatePrivateKey()
  storage.setItem(storageKey, key)
  return privateKeyToAccount(key)
}

/** Deletes the account, so that the next one is new. */
export const forgetAccount = (storage: WalletStorage): void => storage.removeItem(storageKey)

/** Whether the buyer lets this shop see the account. */
export const isPermitted = (storage: WalletStorage): boolean => storage.getItem(permissionKey) === 'yes'

/** Stores whether the buyer lets this shop see the account. */
export const setPermitted = (storage: WalletStorage, permitted: boolean): void =>
  permitted ? storage.setItem(permissionKey, 'yes') : storage.removeItem(permissionKey)
