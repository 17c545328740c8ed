import type { Address } from 'viem'
import { evmChains } from '../../schema/chains.js'
import { collectionAddress } from './nameAddress.js'
import type { StockedCollection } from './testCollection.js'
import type { TestWorld, TokenLooks } from './testWorld.js'

/** A token that was minted. */
export type MintedToken = {
  /** `<chain>:<contractAddress>:<tokenId>`. */
  locator: string
  contractAddress: Address
  /** A decimal integer. */
  tokenId: string
}

/** Mints tokens of a collection to an account, at once. */
export const mintTokens = (
  { chains, looks: shown }: TestWorld,
  collection: StockedCollection,
  { owner, quantity, looks }: { owner: Address; quantity: number; looks: TokenLooks },
): MintedToken[] => {
  const { chain } = collection
  const contractAddress = collectionAddress(collection.id)
  return Array.from({ length: quantity }, () => {
    collection.lastTokenId += 1
    const tokenId = String(collection.lastTokenId)
    const locator = `${chain}:${contractAddress}:${tokenId}`
    chains.tokens.put({ chainId: evmChains[chain].chainId, contractAddress, tokenId: BigInt(tokenId) }, owner)
    shown.set(locator, looks)
    return { locator, contractAddress, tokenId }
  })
}
