import { actionError } from '../errors/actionError.js'
import { type AnyKassaError, isKassaError } from '../errors/KassaError.js'
import type { Action } from '../schema/index.js'
import type { Client } from './client.js'
import { type GetActionParameters, getAction } from './getAction.js'
import { startTimer, wait } from './wait.js'

/** What {@link waitForAction} takes. */
export type WaitForActionParameters = GetActionParameters & {
  /**
   * How long to wait at most: 5 minutes by default. A write that its chain refuses is tried for up to a minute before
   * the action fails, and a chain with slow blocks takes minutes where a contract comes before its first token.
   */
  timeoutMs?: number | undefined
  /** How long to wait at least between two questions: 500 ms by default. It grows to 5 s. */
  pollMs?: number | undefined
  /** Hears of the action whenever something of it has changed, the first time too. */
  onUpdate?: ((action: Action) => void) | undefined
  /** A number from 0 to 1 that spreads the questions of many; stands in for `Math.random`. */
  random?: (() => number) | undefined
}

const shortestMs = 50
const longestMs = 5_000

const transient: readonly string[] = ['api.unreachable', 'api.timeout', 'api.unavailable', 'api.rate-limited']

const isTransient = (error: unknown): error is AnyKassaError =>
  isKassaError(error) && transient.includes(error.code)

// A newer service may have more ways to end.
const hasEnded = ({ status, completedAt }: Action): boolean =>
  status === 'succeeded' || status === 'failed' || completedAt !== undefined

/** Asks once; a failure that may pass is an answer too. */
const ask = async (client: Client, call: GetActionParameters): Promise<Action | AnyKassaError> => {
  try {
    return await getAction(client, call)
  } catch (error) {
    if (isTransient(error)) return error
    throw error
  }
}

const getRetryAfterMs = ({ context }: AnyKassaError): number =>
  ('retryAfterMs' in context && context.retryAfterMs) || 0

/**
 * Waits until an action has ended, well or not. While the service is away it goes on asking.
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
export const waitForAction = async (client: Client, parameters: WaitForActionParameters): Promise<Action> => {
  const { actionId, signal, timeoutMs = 300_000, onUpdate, random = Math.random } = parameters
  const pollMs = Math.max(shortestMs, parameters.pollMs ?? 500)
  let trouble: AnyKassaError | undefined
  const ending = new AbortController()
  const giveUp = (): void => ending.abort(signal?.reason)
  const timer = startTimer(() => {
    ending.abort(actionError('action.unfinished', { actionId, timeoutMs }, trouble && { cause: trouble }))
  }, timeoutMs)
  if (signal?.aborted) giveUp()
  signal?.addEventListener('abort', giveUp)
  try {
    let known = ''
    let delayMs = pollMs
    for (;;) {
      const answer = await ask(client, { actionId, signal: ending.signal })
      trouble = isKassaError(answer) ? answer : undefined
      if (!isKassaError(answer)) {
        const seen = JSON.stringify(answer)
        if (seen !== known) onUpdate?.(answer)
        known = seen
        if (hasEnded(answer)) return answer
      }
      await wait(Math.max(delayMs, trouble ? getRetryAfterMs(trouble) : 0), ending.signal)
      delayMs = Math.min(Math.max(longestMs, pollMs), pollMs + random() * (3 * delayMs - pollMs))
    }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
}
