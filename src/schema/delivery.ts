import * as z from 'zod/mini'
import type { DeliveryStatus } from './members.js'
import { open } from './open.js'

/** A token that was delivered: `tokenId` and `contractAddress` on EVM chains, `mintHash` on Solana. */
export const DeliveredToken = z.looseObject({
  locator: z.string(),
  contractAddress: z.optional(z.string()),
  tokenId: z.optional(z.string()),
  mintHash: z.optional(z.string()),
})
export type DeliveredToken = z.infer<typeof DeliveredToken>

/**
 * How far one line item is on its way, and to whom.
 *
 * @source interface.md "Order"; answers.md "Order states"
 */
export const Delivery = z.looseObject({
  status: open<DeliveryStatus>(),
  recipient: z.optional(
    z.looseObject({
      locator: z.optional(z.string()),
      email: z.optional(z.string()),
      walletAddress: z.optional(z.string()),
    }),
  ),
  txId: z.optional(z.string()),
  tokens: z.optional(z.array(DeliveredToken)),
})
export type Delivery = z.infer<typeof Delivery>
