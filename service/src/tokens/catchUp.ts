import type { ChainPort } from '../chains/port.js'
import { ServiceError } from '../errors.js'
import { lookForTokens, type TokenLookDeps } from './lookForTokens.js'
import type { TokenPlace } from './tokenPlace.js'

const patienceMs = 5_000
/** How many blocks to read again, because a node may have been behind. The watcher reads more of them again. */
const minDepth = 12n
const maxBlocks = 2_000
const savedBlocks = 64

/**
 * Records transfers up to the head of a chain, so that a token that arrived a moment ago is listed.
 *
 * @throws {@link ServiceError} `chain-unavailable` while too many blocks are unread for a correct list.
 */
export const catchUp = async (
  deps: TokenLookDeps,
  chain: ChainPort,
  places: readonly TokenPlace[],
): Promise<void> => {
  const untilMs = deps.now() + patienceMs
  const isDone = await lookForTokens(deps, chain, places, {
    readsAgain: async () => minDepth + BigInt(chain.confirmations),
    maxBlocks,
    savedBlocks,
    mayGoOn: () => deps.now() < untilMs,
  })
  if (isDone) return
  const message = `The tokens on ${chain.chain} are still being read. Try again in a few seconds.`
  throw new ServiceError('chain-unavailable', message, { retryAfterSeconds: 5 })
}
