import type { TokenStandard } from 'kassa/schema'
import type { WriteResult } from './write.js'

/** A collection on the chain. `key` and `standard` determine its address. */
export type CollectionRef = {
  key: string
  standard: TokenStandard
  /**
   * Whether its tokens can be given away; absent means that they can. It counts on a chain whose tokens fix it when they
   * are minted. Elsewhere the terms of the contract count.
   */
  isTransferable?: boolean
}

/** The settings of a collection contract. */
export type CollectionTerms = {
  name: string
  symbol: string
  /** URI of the JSON that marketplaces read about the collection (ERC-7572), or empty. */
  uri: string
  /** 0 means no limit. */
  supplyLimit: bigint
  transferable: boolean
  /**
   * The address that may claim the collection on marketplaces and receives royalties. Absent means the
   * operator's.
   */
  owner?: string
  /** The royalty of a resale in hundredths of a percent; absent means none. */
  royaltyBasisPoints?: number
}

/** One token to mint. */
export type TokenMint = {
  recipient: string
  tokenId: bigint
  /** What a chain shows that keeps more of a token than its URI. */
  name?: string | undefined
  symbol?: string | undefined
  uri: string
  /**
   * The key of this mint, which happens once. Many tokens of a semi-fungible collection share an id, so only
   * the key distinguishes another copy from a repeated mint.
   */
  mintKey: string
  /** The template it is a copy of. The first copy fixes its limit; 0 means none. */
  template?: { key: string; limit: bigint }
  /** When a subscription ends, in epoch seconds. */
  expiresAt?: bigint
  /** Whether it is a leaf of a tree, on a chain whose `compresses` is set. Such a token is minted alone. */
  isCompressed?: boolean
}

/** The tokens to mint, and their recipients. Either all are minted or none. */
export type MintInput = {
  collection: CollectionRef
  tokens: readonly TokenMint[]
  /** How many tokens the collection can have, for a tree of the right size. Absent means no limit. */
  supplyLimit?: bigint
}

/** A finished mint. A compressed token has its address only from then on. */
export type MintResult = WriteResult & { mintHash?: string }

/** A change of a collection, with its revision number: an older change never undoes a newer one. */
export type UpdateCollectionInput = { collection: CollectionRef; revision: bigint; terms: CollectionTerms }

/** A change of a token, with its revision number: an older change never undoes a newer one. */
export type UpdateTokenInput = {
  collection: CollectionRef
  tokenId: bigint
  revision: bigint
  /** As in {@link TokenMint}. Absent means unchanged. */
  name?: string | undefined
  symbol?: string | undefined
  uri: string
  /** When a subscription ends, in epoch seconds. */
  expiresAt?: bigint
}
