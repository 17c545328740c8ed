import * as z from 'zod/mini'
import { maybe } from './maybe.js'
import type { BuyerDetail, Fungibility, TokenStandard } from './members.js'
import { open } from './open.js'
import { readonlyList } from './readonlyList.js'

/**
 * A collection's display texts and picture. `imageUrl` is an `ipfs://` URI if the service re-uploads files.
 */
export const CollectionMetadata = z.looseObject({
  name: maybe(z.string()),
  description: maybe(z.string()),
  imageUrl: maybe(z.string()),
  symbol: maybe(z.string()),
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
  fungibility: maybe(open<Fungibility>()),
  onChain: z.looseObject({
    chain: z.string(),
    type: maybe(open<TokenStandard>()),
    /** Known before the contract is deployed; absent while the chain is not enabled. */
    contractAddress: maybe(z.string()),
    /** Replaces `contractAddress` on Solana. */
    mintAddress: maybe(z.string()),
  }),
  transferable: maybe(z.boolean()),
  supplyLimit: maybe(z.number()),
  payments: maybe(
    z.looseObject({
      price: z.string(),
      currency: maybe(z.string()),
      /** The currencies that orders may be paid in; absent if all of the service's are allowed. */
      currencies: maybe(readonlyList(z.array(z.string()))),
      recipientAddress: maybe(z.string()),
      /** The royalty of a resale (ERC-2981), paid to `recipientAddress`, in hundredths of a percent. */
      royaltyBasisPoints: maybe(z.number()),
      /** The buyer's details that an order requires before payment. */
      requires: maybe(z.array(open<BuyerDetail>())),
    }),
  ),
  subscription: maybe(z.looseObject({ enabled: z.boolean() })),
  /** The action that creates it; absent for collections that a project had from its beginning. */
  actionId: maybe(z.string()),
})
export type Collection = z.infer<typeof Collection>

/** A page of a project's collections. */
export const CollectionList = z.looseObject({ results: z.array(Collection) })
export type CollectionList = z.infer<typeof CollectionList>
