import * as z from 'zod/mini'
import type { MintStatus } from './members.js'
import { open } from './open.js'

/** What wallets and marketplaces show of a token. */
export const NftMetadata = z.looseObject({
  name: z.optional(z.string()),
  image: z.optional(z.string()),
  description: z.optional(z.string()),
  animation_url: z.optional(z.string()),
  attributes: z.optional(z.array(z.looseObject({ trait_type: z.optional(z.string()), value: z.unknown() }))),
})
export type NftMetadata = z.infer<typeof NftMetadata>

/**
 * A token, from the moment it was asked for.
 *
 * @source interface.md "Minted NFT"; answers.md "Mint, NFTs, templates, collections"
 */
export const Nft = z.looseObject({
  id: z.string(),
  metadata: z.optional(NftMetadata),
  templateId: z.optional(z.string()),
  onChain: z.looseObject({
    status: open<MintStatus>(),
    chain: z.string(),
    /** EVM chains only. */
    contractAddress: z.optional(z.string()),
    /** EVM chains, once minted: a decimal integer. */
    tokenId: z.optional(z.string()),
    /** Solana, once minted. */
    mintHash: z.optional(z.string()),
    /** The address it was minted to. */
    owner: z.optional(z.string()),
    txId: z.optional(z.string()),
  }),
  /** Until when a subscription runs (ISO 8601). */
  subscription: z.optional(z.looseObject({ expiresAt: z.string() })),
  /** Follows the mint; absent for a token that an order delivered. */
  actionId: z.optional(z.string()),
})
export type Nft = z.infer<typeof Nft>

/** A page of a collection's tokens. */
export const NftList = z.array(Nft)
export type NftList = z.infer<typeof NftList>
