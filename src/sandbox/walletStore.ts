import type { Hex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { createMemoryStorage, type LedgerStorage } from '../chain/ledger.js'

const keyName = 'kassa.sandbox-wallet.key'
const permissionName = 'kassa.sandbox-wallet.connected'

const isKey = (text: string | null): text is Hex => text !== null && /^0x[0-9a-f]{64}$/.test(text)

/** What a sandbox wallet keeps in a browser: its key, and whether the page may see its account. */
export type WalletStore = {
  /** The account, made on first use. */
  getAccount(): PrivateKeyAccount
  isPermitted(): boolean
  setPermitted(isPermitted: boolean): void
}

const findStorage = (): LedgerStorage => {
  try {
    // Reading it throws where the visitor has blocked it.
    return globalThis.localStorage ?? createMemoryStorage()
  } catch {
    return createMemoryStorage()
  }
}

/** Keeps a sandbox wallet's key where it was put, in plain sight: it is good for nothing but test funds. */
export const createWalletStore = (given?: LedgerStorage): WalletStore => {
  let found = given
  // Not before it is needed: on a server there is none.
  const getStorage = (): LedgerStorage => {
    found ??= findStorage()
    return found
  }
  return {
    getAccount: () => {
      const storage = getStorage()
      const known = storage.getItem(keyName)
      if (isKey(known)) return privateKeyToAccount(known)
      const key = generatePrivateKey()
      storage.setItem(keyName, key)
      return privateKeyToAccount(key)
    },
    isPermitted: () => getStorage().getItem(permissionName) === 'yes',
    setPermitted: (isPermitted) => getStorage().setItem(permissionName, isPermitted ? 'yes' : 'no'),
  }
}
