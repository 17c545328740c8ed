import type { Hex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { storageKey, type WalletStorage } from './account'

export { describePayment } from './describePayment'
export { describeSignature, readTypedData } from './describeSignature'
export { askNode, sendPayment } from './sendPayment'

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
