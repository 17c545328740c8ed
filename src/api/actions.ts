import { actionError } from '../errors/actionError.js'
import type { Action } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readAction } from '../schema/tokenReaders.js'
import type { Client } from './client.js'
import { type FollowParameters, follow } from './follow.js'
import { type KeyCallParameters, requestBody } from './request.js'

/** Parameters of {@link getAction}. */
export type GetActionParameters = KeyCallParameters & {
  /** The id from the answer that started it. */
  actionId: string
}

/**
 * Gets the state of an action, which changes a chain.
 *
 * @throws {@link KassaError} `api.not-found`, …
 * @source interface.md "Get action status"; answers.md "Actions"
 */
export const getAction = async (
  client: Client,
  { actionId, ...call }: GetActionParameters,
): Promise<Action> =>
  requestBody(client, {
    operation: operations.getAction,
    params: { actionId },
    answer: readAction,
    ...call,
  })

/** Parameters of {@link waitForAction}. */
export type WaitForActionParameters = GetActionParameters &
  FollowParameters<Action> & {
    /**
     * The longest wait. By default 5 minutes. The service retries a refused write for up to a minute before
     * the action fails, and on a chain with slow blocks a collection's contract and its first token take
     * minutes.
     */
    timeoutMs?: number | undefined
  }

// A newer service may have further end states.
const hasEnded = ({ status, completedAt }: Action): boolean =>
  status === 'succeeded' || status === 'failed' || completedAt !== undefined

/**
 * Waits until an action has ended, whether it succeeded or failed. It keeps polling while the service is
 * unavailable.
 *
 * @returns The action; its `status` says how it ended.
 * @throws {@link KassaError} `action.unfinished` after `timeoutMs`, whose `cause` is the last failure to ask;
 * `api.not-found`, `api.unauthorized`, …; an abort by `signal` rejects with the signal's own reason
 * @source interface.md "What the service does"; answers.md "Actions"
 * @example
 * ```ts
 * import { type Client, createTemplate, mintNft, waitForAction } from 'kassa/api'
 *
 * export const give = async (client: Client, walletAddress: string) => {
 *   const collectionId = 'medals'
 *   const { templateId } = await createTemplate(client, {
 *     collectionId,
 *     // A picture of yours: it is copied at once, so it has to be there.
 *     body: { metadata: { name: 'Gold', image: 'https://shop.example/gold.png' } },
 *   })
 *   const { actionId = '' } = await mintNft(client, {
 *     collectionId,
 *     body: { recipient: `base:${walletAddress}`, templateId },
 *   })
 *   const action = await waitForAction(client, { actionId })
 *   return action.status === 'succeeded' ? action.data.token?.tokenId : undefined
 * }
 * ```
 */
export const waitForAction = (
  client: Client,
  { actionId, signal, ...following }: WaitForActionParameters,
): Promise<Action> =>
  follow<Action>(
    {
      ask: (ending) => getAction(client, { actionId, signal: ending }),
      hasEnded,
      onLate: (timeoutMs, cause) =>
        actionError('action.unfinished', { actionId, timeoutMs }, cause && { cause }),
    },
    { ...following, signal },
  )
