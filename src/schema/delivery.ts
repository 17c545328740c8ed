import * as z from 'zod/mini'
import { maybe } from './maybe.js'
import type { DeliveryStatus } from './members.js'
import { known, openObject } from './open.js'

/**
 * A token that was delivered. It has `contractAddress` and `tokenId` on EVM chains. On Solana it has `mintHash`, and
 * `tokenId` is its number in the collection.
 */
export const DeliveredToken = openObject({
  locator: z.string(),
  contractAddress: maybe(z.string()),
  tokenId: maybe(z.string()),
  mintHash: maybe(z.string()),
})
export type DeliveredToken = z.infer<typeof DeliveredToken>

/**
 * The delivery status of one line item, and its recipient.
 *
 * @source interface.md "Order"; answers.md "Order states"
 */
export const Delivery = openObject({
  status: known<DeliveryStatus>(),
  recipient: maybe(
    openObject({
      locator: maybe(z.string()),
      email: maybe(z.string()),
      walletAddress: maybe(z.string()),
      /** The shipping address. Only server keys and webhooks receive it. */
      physicalAddress: maybe(
        openObject({
          name: maybe(z.string()),
          line1: maybe(z.string()),
          line2: maybe(z.string()),
          city: maybe(z.string()),
          state: maybe(z.string()),
          postalCode: maybe(z.string()),
          country: maybe(z.string()),
        }),
      ),
    }),
  ),
  txId: maybe(z.string()),
  tokens: maybe(z.array(DeliveredToken)),
})
export type Delivery = z.infer<typeof Delivery>
