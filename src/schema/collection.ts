import * as z from 'zod/mini'
import { maybe } from './maybe.js'
import type { BuyerDetail, CollectionStandard, Fungibility } from './members.js'
import { known, openObject } from './open.js'
import { readonlyList } from './readonlyList.js'

/**
 * A collection's display texts and picture. `imageUrl` is an `ipfs://` URI if the service re-uploads files.
 */
export const CollectionMetadata = openObject({
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
export const Collection = openObject({
  id: z.string(),
  metadata: CollectionMetadata,
  fungibility: maybe(known<Fungibility>()),
  onChain: openObject({
    chain: z.string(),
    type: maybe(known<CollectionStandard>()),
    /** Known before the contract is deployed; absent while the chain is not enabled. */
    contractAddress: maybe(z.string()),
    /** Replaces `contractAddress` on Solana. */
    mintAddress: maybe(z.string()),
  }),
  transferable: maybe(z.boolean()),
  supplyLimit: maybe(z.number()),
  /** How many tokens there are or are on their way, and how many more are kept for paid orders. */
  supply: maybe(openObject({ minted: z.number(), reserved: z.number() })),
  payments: maybe(
    openObject({
      price: z.string(),
      currency: maybe(z.string()),
      /** The currencies that orders may be paid in; absent if all of the service's are allowed. */
      currencies: maybe(readonlyList(z.array(z.string()))),
      recipientAddress: maybe(z.string()),
      /** The royalty of a resale (ERC-2981), paid to `recipientAddress`, in hundredths of a percent. */
      royaltyBasisPoints: maybe(z.number()),
      /** The buyer's details that an order requires before payment. */
      requires: maybe(z.array(known<BuyerDetail>())),
    }),
  ),
  /** The rules of its sale, an extension of the interface; absent without rules. */
  sale: maybe(
    openObject({
      startsAt: maybe(z.string()),
      endsAt: maybe(z.string()),
      phases: maybe(
        z.array(
          openObject({
            name: z.string(),
            startsAt: maybe(z.string()),
            allowList: maybe(
              openObject({
                /** How many addresses are on it; absent if there is only a Merkle root. */
                addressCount: maybe(z.number()),
                /** Keeps these addresses in a change of the phases. */
                listId: maybe(z.string()),
                merkleRoot: maybe(z.string()),
              }),
            ),
            maxTokens: maybe(z.number()),
          }),
        ),
      ),
      maxPerBuyer: maybe(
        openObject({
          wallet: maybe(z.number()),
          email: maybe(z.number()),
          payer: maybe(z.number()),
        }),
      ),
      promotionCodes: maybe(
        z.array(
          openObject({
            code: z.string(),
            percent: maybe(z.string()),
            /** @units decimal string in whole units of `payments.currency` */
            amount: maybe(z.string()),
            limit: maybe(z.number()),
            expiresAt: maybe(z.string()),
          }),
        ),
      ),
    }),
  ),
  subscription: maybe(openObject({ enabled: z.boolean() })),
  /** The action that creates it; absent for collections that a project had from its beginning. */
  actionId: maybe(z.string()),
})
export type Collection = z.infer<typeof Collection>

/** A page of a project's collections. */
export const CollectionList = openObject({ results: z.array(Collection) })
export type CollectionList = z.infer<typeof CollectionList>
