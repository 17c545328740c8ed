import type { Address } from '@solana/kit'
import type { CollectionWrites } from '#base/ports/chainParts.js'
import type { CollectionRef, CollectionTerms } from '#base/ports/collections.js'
import { firstKey } from '#base/ports/write.js'
import { deriveCollection, deriveToken } from '../connection/derivedAddresses.js'
import { mintCompressed } from './mintCompressed.js'
import { createGroupInstructions, createLimitInstruction, type MintParts } from './mintInstructions.js'
import { mintCopies, mintSingles } from './mintTokens.js'
import { toOnChain } from './onChainMetadata.js'
import type { ServiceMint } from './readMint.js'
import { type CollectionParts, type Make, sendInstructions } from './sendInstructions.js'
import { updateMint } from './updateMint.js'

/** A transaction of 1,232 bytes has room for a guard and this many accounts for copies of a token. */
const maxRecipients = 3

/** Returns the limit of a group, which limits its members: the copies of a semi-fungible token are one member. */
const limitOf = ({ standard }: CollectionRef, { supplyLimit }: CollectionTerms): bigint =>
  standard === 'erc-1155' ? 0n : supplyLimit

/** Creates and updates collections and tokens on Solana: groups and members of Token-2022. */
export const createCollectionWrites = (parts: CollectionParts): CollectionWrites => {
  const { operator } = parts
  const addressOf = (collection: CollectionRef): Address => deriveCollection(operator, collection).address
  const tokenOf = (collection: CollectionRef, tokenId: bigint): Address =>
    deriveToken(operator, addressOf(collection), tokenId).address
  return {
    collectionAddress: addressOf,
    tokenAddress: tokenOf,
    countMints: (_, tokens) => {
      const [first] = tokens
      const recipients = new Set<string>()
      const end = tokens.findIndex(({ tokenId, recipient }) => {
        recipients.add(recipient)
        return tokenId !== first?.tokenId || recipients.size > maxRecipients
      })
      return end < 0 ? Math.max(1, tokens.length) : end
    },
    // The key comes from the collection, so a collection is created once under any caller's key.
    createCollection: (key, { collection, terms }, options) => {
      const attempt = key.slice(firstKey(key).length)
      const derived = deriveCollection(operator, collection)
      const supplyLimit = limitOf(collection, terms)
      const make: Make = (mintParts) =>
        createGroupInstructions(mintParts, derived, { metadata: toOnChain(terms), supplyLimit })
      const write = { make, trace: derived.address, isGuarded: false }
      const own = `${collection.standard}:${collection.key}${attempt}`
      return sendInstructions(parts, { key: own, options }, write)
    },
    updateCollection: (key, { collection, revision, terms }, options) => {
      const mint = addressOf(collection)
      const update = {
        mint,
        revision,
        toMetadata: () => toOnChain(terms),
        more: (mintParts: MintParts) => [createLimitInstruction(mintParts, mint, limitOf(collection, terms))],
      }
      return updateMint(parts, { key, options }, update)
    },
    mint: (key, input, options) => {
      const keyed = { key, options }
      const [token] = input.tokens
      if (token?.isCompressed) return mintCompressed(parts, keyed, { ...input, token })
      const isMany = input.collection.standard === 'erc-1155'
      if (token && isMany) return mintCopies(parts, keyed, { ...input, token })
      return mintSingles(parts, keyed, input)
    },
    updateToken: (key, { collection, tokenId, revision, name, symbol, uri }, options) => {
      const update = {
        mint: tokenOf(collection, tokenId),
        revision,
        toMetadata: ({ metadata }: ServiceMint) =>
          toOnChain({ name: name ?? metadata.name, symbol: symbol ?? metadata.symbol, uri }),
      }
      return updateMint(parts, { key, options }, update)
    },
  }
}
