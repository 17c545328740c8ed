import type { Deps } from '#base/deps.js'
import { walletContext } from '#base/ports/vault.js'
import type { WalletRow } from '#identity/wallets/findWallet.js'

/** Decrypts a wallet's custodial key while a function signs with it, and erases it afterwards. */
export const withCustodialKey = async <Result>(
  { vault }: Pick<Deps, 'vault'>,
  { id, encryptedKey }: Pick<WalletRow, 'id' | 'encryptedKey'>,
  use: (privateKey: Uint8Array) => Promise<Result>,
): Promise<Result> => {
  if (encryptedKey === null) throw new Error('the service does not hold the key of this wallet')
  const privateKey = await vault.decrypt(encryptedKey, walletContext(id))
  try {
    return await use(privateKey)
  } finally {
    privateKey.fill(0)
  }
}
