import * as z from 'zod/mini'
import { maybe } from './maybe.js'
import type { BuyerDetail, Fungibility, TokenStandard } from './members.js'
import { open } from './open.js'
import { readonlyList } from './readonlyList.js'

/** What a collection is called and shown as. `imageUrl` is an `ipfs://` URI where files are uploaded again. */
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
    /** Known before the contract is there; absent while the chain is not enabled. */
    contractAddress: maybe(z.string()),
    /** In place of `contractAddress` on Solana. */
    mintAddress: maybe(z.string()),
  }),
  transferable: maybe(z.boolean()),
  supplyLimit: maybe(z.number()),
  payments: maybe(
    z.looseObject({
      price: z.string(),
      currency: maybe(z.string()),
      /** The currencies that orders may be paid in; absent where all that the service takes may be. */
      currencies: maybe(readonlyList(z.array(z.string()))),
      recipientAddress: maybe(z.string()),
      /** The royalty of a resale (ERC-2981), paid to `recipientAddress`, in hundredths of a percent. */
      royaltyBasisPoints: maybe(z.number()),
      /** What an order has to name before it can be paid. */
      requires: maybe(z.array(open<BuyerDetail>())),
    }),
  ),
  subscription: maybe(z.looseObject({ enabled: z.boolean() })),
  /** Follows the creation; absent for collections that a project had from its beginning. */
  actionId: maybe(z.string()),
})
export type Collection = z.infer<typeof Collection>

/** A page of a project's collections. */
export const CollectionList = z.looseObject({ results: z.array(Collection) })
export type CollectionList = z.infer<typeof CollectionList>
