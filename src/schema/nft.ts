import * as z from 'zod/mini'
import { maybe } from './maybe.js'
import type { MintStatus } from './members.js'
import { known, openObject } from './open.js'

/** A token's metadata for wallets and marketplaces. */
export const NftMetadata = z.looseObject({
  name: maybe(z.string()),
  image: maybe(z.string()),
  description: maybe(z.string()),
  animation_url: maybe(z.string()),
  attributes: maybe(z.array(openObject({ trait_type: maybe(z.string()), value: z.unknown() }))),
})
export type NftMetadata = z.infer<typeof NftMetadata>

/**
 * A token, from the moment it was requested.
 *
 * @source interface.md "Minted NFT"; answers.md "Mint, NFTs, templates, collections"
 */
export const Nft = openObject({
  id: z.string(),
  metadata: maybe(NftMetadata),
  templateId: maybe(z.string()),
  onChain: openObject({
    status: known<MintStatus>(),
    chain: z.string(),
    /** EVM chains only. */
    contractAddress: maybe(z.string()),
    /** EVM chains, once minted: a decimal integer. */
    tokenId: maybe(z.string()),
    /** Solana, once minted. */
    mintHash: maybe(z.string()),
    /** The address it was minted to. */
    owner: maybe(z.string()),
    txId: maybe(z.string()),
  }),
  /** When a subscription expires (ISO 8601). */
  subscription: maybe(openObject({ expiresAt: z.string() })),
  /** The action that mints it; absent for a token that an order delivered. */
  actionId: maybe(z.string()),
})
export type Nft = z.infer<typeof Nft>

/** A page of a collection's tokens. */
export const NftList = z.array(Nft)
export type NftList = z.infer<typeof NftList>
