import { BaseError, BlockNotFoundError, InvalidParamsRpcError, type PublicClient } from 'viem'
import { ServiceError } from '#base/errors.js'
import type { EvmChainOptions } from '../evmChainOptions.js'
import { classifyNodeError } from './rpc.js'

type FinalityOptions = Pick<EvmChainOptions, 'chain' | 'finality' | 'isFinalityRequired' | 'log' | 'now'>

/** How long confirmations are counted before a node that knew no such block is asked again. */
const askAgainMs = 5 * 60_000

/** Whether a node knows the block tag, and when it said so. */
const answers = new WeakMap<PublicClient, { isKnown: boolean; atMs: number }>()

/** Whether a node answered that it knows no block by this tag. */
const isUnknownTag = (error: unknown): boolean =>
  [undefined, 'unserved'].includes(classifyNodeError(error)) ||
  (error instanceof BaseError &&
    error.walk((cause) => cause instanceof BlockNotFoundError || cause instanceof InvalidParamsRpcError) !==
      null)

/**
 * Reads the last block that the chain itself calls final.
 *
 * @returns `undefined` if confirmations are counted, by setting or because the node does not know the tag. Such a node
 * is asked again five minutes later, because it may only have lacked the block for a moment.
 * @throws {ServiceError} `chain-unavailable` if the node does not know the tag and the operator requires it.
 */
export const readFinalBlock = async (
  client: PublicClient,
  { chain, finality, isFinalityRequired, log, now = Date.now }: FinalityOptions,
): Promise<bigint | undefined> => {
  const last = answers.get(client)
  if (!finality) return undefined
  if (last && !last.isKnown && now() - last.atMs < askAgainMs) return undefined
  try {
    const { number } = await client.getBlock({ blockTag: finality })
    answers.set(client, { isKnown: true, atMs: now() })
    return number
  } catch (error) {
    // This node knew the tag before. Counting fewer confirmations than the tag stands for would accept
    // payments too early.
    if (last?.isKnown || !isUnknownTag(error)) throw error
    if (isFinalityRequired) {
      const setting = `KASSA_FINALITY_${chain.toUpperCase().replaceAll('-', '_')}`
      throw new ServiceError(
        'chain-unavailable',
        `The node of ${chain} has no ${finality} block, so payments wait. Use another node, or set ${setting}=confirmations.`,
        { cause: error, retryAfterSeconds: 60 },
      )
    }
    answers.set(client, { isKnown: false, atMs: now() })
    if (!last)
      log.warn({ chain, finality, err: error }, 'the node names no such block: counting confirmations')
    return undefined
  }
}
