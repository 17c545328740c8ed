import type { Hex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { openStorage, type WebStorage } from '../../chain/attemptStore.js'

const keyName = 'kassa.sandbox-wallet.key'
const permissionName = 'kassa.sandbox-wallet.connected'

const isKey = (text: string | null): text is Hex => text !== null && /^0x[0-9a-f]{64}$/.test(text)

/** What a sandbox wallet stores in a browser: its key, and whether the page may see its account. */
export type WalletStore = {
  /** Returns the account, creating it on first use. */
  getAccount(): PrivateKeyAccount
  isPermitted(): boolean
  setPermitted(isPermitted: boolean): void
}

/**
 * Creates a store of a sandbox wallet's key. The key is stored unprotected, because it only controls test
 * funds.
 */
export const createWalletStore = (given?: WebStorage): WalletStore => {
  let found = given
  // Read only when needed, because a server has none.
  const getStorage = (): WebStorage => {
    found ??= openStorage()
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
