import * as z from 'zod/mini'
import type { ActionName, ActionStatus } from './members.js'
import { open } from './open.js'

/** Why an action failed, in the chain's words. */
export const ActionError = z.looseObject({
  reason: z.string(),
  message: z.optional(z.string()),
  revertReason: z.optional(z.string()),
  callInfo: z.optional(
    z.looseObject({
      functionName: z.optional(z.string()),
      arguments: z.optional(z.unknown()),
      calldata: z.optional(z.string()),
    }),
  ),
})
export type ActionError = z.infer<typeof ActionError>

/** What an action is about, as far as is known: the same as the `data` of its webhook event. */
export const ActionData = z.looseObject({
  chain: z.optional(z.string()),
  txId: z.optional(z.string()),
  collection: z.optional(
    z.looseObject({
      id: z.string(),
      contractAddress: z.optional(z.string()),
      mintAddress: z.optional(z.string()),
    }),
  ),
  recipient: z.optional(
    z.looseObject({ walletAddress: z.optional(z.string()), email: z.optional(z.string()) }),
  ),
  token: z.optional(
    z.looseObject({
      id: z.string(),
      owner: z.optional(z.looseObject({ walletAddress: z.optional(z.string()) })),
      tokenId: z.optional(z.string()),
      mintHash: z.optional(z.string()),
    }),
  ),
  /** The names of the fields that changed. */
  changes: z.optional(z.array(z.string())),
  contractArguments: z.optional(z.unknown()),
  error: z.optional(ActionError),
})
export type ActionData = z.infer<typeof ActionData>

/**
 * What became of something that changes a chain.
 *
 * @source interface.md "Get action status"; answers.md "Actions"
 */
export const Action = z.looseObject({
  actionId: z.string(),
  action: open<ActionName>(),
  status: open<ActionStatus>(),
  data: ActionData,
  /** ISO 8601. */
  startedAt: z.string(),
  completedAt: z.optional(z.string()),
  /** URL of what it is about. */
  resource: z.optional(z.string()),
})
export type Action = z.infer<typeof Action>
