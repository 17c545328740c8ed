import * as z from 'zod/mini'
import { maybe } from './maybe.js'
import type { ActionName, ActionStatus } from './members.js'
import { known, openObject } from './open.js'

/** Why an action failed, in the chain's words. */
export const ActionError = openObject({
  reason: z.string(),
  message: maybe(z.string()),
  revertReason: maybe(z.string()),
  callInfo: maybe(
    openObject({
      functionName: maybe(z.string()),
      arguments: z.optional(z.unknown()),
      calldata: maybe(z.string()),
    }),
  ),
})
export type ActionError = z.infer<typeof ActionError>

/** The subject of an action, as far as it is known: the same as the `data` of its webhook event. */
export const ActionData = openObject({
  chain: maybe(z.string()),
  txId: maybe(z.string()),
  collection: maybe(
    openObject({
      id: z.string(),
      contractAddress: maybe(z.string()),
      mintAddress: maybe(z.string()),
    }),
  ),
  recipient: maybe(openObject({ walletAddress: maybe(z.string()), email: maybe(z.string()) })),
  token: maybe(
    openObject({
      id: z.string(),
      owner: maybe(openObject({ walletAddress: maybe(z.string()) })),
      tokenId: maybe(z.string()),
      mintHash: maybe(z.string()),
    }),
  ),
  /** The names of the fields that changed. */
  changes: maybe(z.array(z.string())),
  contractArguments: z.optional(z.unknown()),
  error: maybe(ActionError),
})
export type ActionData = z.infer<typeof ActionData>

/**
 * The state of a change to a chain.
 *
 * @source interface.md "Get action status"; answers.md "Actions"
 */
export const Action = openObject({
  actionId: z.string(),
  action: known<ActionName>(),
  status: known<ActionStatus>(),
  data: ActionData,
  /** ISO 8601. */
  startedAt: z.string(),
  completedAt: maybe(z.string()),
  /** URL of its subject. */
  resource: maybe(z.string()),
})
export type Action = z.infer<typeof Action>
