import { toHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import type { Deps } from '../deps.js'
import { walletContext } from './vault.js'

/**
 * Creates the custodial key of a wallet.
 *
 * @returns The address of its account, and the key as the vault encrypted it.
 */
export const createCustodialKey = async (
  { vault, randomBytes }: Pick<Deps, 'vault' | 'randomBytes'>,
  walletId: string,
): Promise<{ address: string; encryptedKey: string }> => {
  const key = randomBytes(32)
  try {
    const address = privateKeyToAddress(toHex(key))
    return { address, encryptedKey: await vault.encrypt(key, walletContext(walletId)) }
  } finally {
    key.fill(0)
  }
}
