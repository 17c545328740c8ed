import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { TokenMint } from '#base/ports/collections.js'

/** A token to mint to a new address. */
export const createMint = (change: Partial<TokenMint> = {}): TokenMint => ({
  recipient: privateKeyToAccount(generatePrivateKey()).address,
  tokenId: 1n,
  uri: 'ipfs://one',
  mintKey: crypto.randomUUID(),
  ...change,
})
