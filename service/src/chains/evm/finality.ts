import { BaseError, BlockNotFoundError, InvalidParamsRpcError, type PublicClient } from 'viem'
import type { Log } from '../../deps.js'
import { isAway } from './rpc.js'

/** The names that nodes have for a block that the chain itself calls final. */
export type Finality = 'finalized' | 'safe'

const tellsTag = new WeakMap<PublicClient, boolean>()

/** Whether a node answered that it knows no block by this name. */
const isUnknownTag = (error: unknown): boolean =>
  !isAway(error) ||
  (error instanceof BaseError &&
    error.walk((cause) => cause instanceof BlockNotFoundError || cause instanceof InvalidParamsRpcError) !==
      null)

/**
 * Reads the last block that the chain itself calls final.
 *
 * @returns Undefined where confirmations are counted: by setting, or because the node names no such block.
 */
export const readFinalBlock = async (
  client: PublicClient,
  { chain, finality, log }: { chain: string; finality?: Finality | undefined; log: Log },
): Promise<bigint | undefined> => {
  if (!finality || tellsTag.get(client) === false) return undefined
  try {
    const { number } = await client.getBlock({ blockTag: finality })
    tellsTag.set(client, true)
    return number
  } catch (error) {
    // A node that named it before fails: to count less than it said would take payments too early.
    if (tellsTag.get(client) || !isUnknownTag(error)) throw error
    tellsTag.set(client, false)
    log.warn({ chain, finality, err: error }, 'the node names no such block: counting confirmations')
    return undefined
  }
}
