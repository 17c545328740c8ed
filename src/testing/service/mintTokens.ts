import { type Address, getAddress } from 'viem'
import { evmChains } from '../../schema/chains.js'
import { nameSolanaAddress } from '../solana/network.js'
import { collectionAddress } from './nameAddress.js'
import type { StockedCollection } from './testCollection.js'
import type { TestWorld, TokenLooks } from './testWorld.js'

/** A token that was minted on an EVM chain. */
export type MintedToken = {
  /** `<chain>:<contractAddress>:<tokenId>`. */
  locator: string
  contractAddress: Address
  /** A decimal integer. */
  tokenId: string
}

/** A token that was minted on Solana. */
export type MintedSolanaToken = {
  /** `solana:<mintHash>`. */
  locator: string
  /** The address of its mint. */
  mintHash: string
  /** Its number in the collection, a decimal integer. */
  tokenId: string
}

/** What is minted, and to which address of the collection's chain. */
type Mint = {
  owner: string
  quantity: number
  /** Returns how a token looks, by its number in the collection. */
  looks(number: number): TokenLooks
}

const mintToken = (
  { chains, solana }: TestWorld,
  { id: collectionId, chain, lastTokenId }: StockedCollection,
  owner: string,
): MintedToken | MintedSolanaToken => {
  const tokenId = String(lastTokenId)
  if (chain === 'solana') {
    const mintHash = nameSolanaAddress(`token ${collectionId} ${lastTokenId}`)
    solana.mints.put({ mint: mintHash, collectionId, owner })
    return { locator: `solana:${mintHash}`, mintHash, tokenId }
  }
  const contractAddress = collectionAddress(collectionId)
  const place = { chainId: evmChains[chain].chainId, contractAddress, tokenId: BigInt(tokenId) }
  chains.tokens.put(place, getAddress(owner))
  return { locator: `${chain}:${contractAddress}:${tokenId}`, contractAddress, tokenId }
}

/** Mints tokens of a collection to an account, at once. */
export const mintTokens = (
  world: TestWorld,
  collection: StockedCollection,
  { owner, quantity, looks }: Mint,
): (MintedToken | MintedSolanaToken)[] =>
  Array.from({ length: quantity }, () => {
    collection.lastTokenId += 1
    const token = mintToken(world, collection, owner)
    world.looks.set(token.locator, looks(collection.lastTokenId))
    return token
  })
