import type { Deps } from '../deps.js'
import type { WalletRow } from '../wallets/findWallet.js'
import { walletContext } from '../wallets/vault.js'

/** Opens the key of a wallet that the service keeps, for as long as it is used to sign, and wipes it then. */
export const withCustodialKey = async <Result>(
  { vault }: Pick<Deps, 'vault'>,
  { id, encryptedKey }: Pick<WalletRow, 'id' | 'encryptedKey'>,
  use: (privateKey: Uint8Array) => Promise<Result>,
): Promise<Result> => {
  if (encryptedKey === null) throw new Error('somebody else has the key of this wallet')
  const privateKey = await vault.decrypt(encryptedKey, walletContext(id))
  try {
    return await use(privateKey)
  } finally {
    privateKey.fill(0)
  }
}
