import * as z from 'zod/mini'
import type { Fungibility, TokenStandard } from './members.js'
import { open } from './open.js'

/** What a collection is called and shown as. `imageUrl` is an `ipfs://` URI where files are uploaded again. */
export const CollectionMetadata = z.looseObject({
  name: z.optional(z.string()),
  description: z.optional(z.string()),
  imageUrl: z.optional(z.string()),
  symbol: z.optional(z.string()),
})
export type CollectionMetadata = z.infer<typeof CollectionMetadata>

/**
 * A collection of tokens.
 *
 * @units `payments.price` is a decimal string in whole units of `payments.currency`
 * @source interface.md "Collection"
 */
export const Collection = z.looseObject({
  id: z.string(),
  metadata: CollectionMetadata,
  fungibility: z.optional(open<Fungibility>()),
  onChain: z.looseObject({
    chain: z.string(),
    type: z.optional(open<TokenStandard>()),
    /** Known before the contract is there; absent while the chain is not enabled. */
    contractAddress: z.optional(z.string()),
    /** In place of `contractAddress` on Solana. */
    mintAddress: z.optional(z.string()),
  }),
  transferable: z.optional(z.boolean()),
  supplyLimit: z.optional(z.number()),
  payments: z.optional(
    z.looseObject({
      price: z.string(),
      currency: z.optional(z.string()),
      recipientAddress: z.optional(z.string()),
    }),
  ),
  subscription: z.optional(z.looseObject({ enabled: z.boolean() })),
  /** Follows the creation; absent for collections that a project had from its beginning. */
  actionId: z.optional(z.string()),
})
export type Collection = z.infer<typeof Collection>

/** A page of a project's collections. */
export const CollectionList = z.looseObject({ results: z.array(Collection) })
export type CollectionList = z.infer<typeof CollectionList>
