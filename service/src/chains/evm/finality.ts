import { BaseError, BlockNotFoundError, InvalidParamsRpcError, type PublicClient } from 'viem'
import type { Log } from '../../deps.js'
import { isAway } from './rpc.js'

/** A block tag by which a chain names its final block. */
export type Finality = 'finalized' | 'safe'

const tellsTag = new WeakMap<PublicClient, boolean>()

/** Whether a node answered that it knows no block by this tag. */
const isUnknownTag = (error: unknown): boolean =>
  !isAway(error) ||
  (error instanceof BaseError &&
    error.walk((cause) => cause instanceof BlockNotFoundError || cause instanceof InvalidParamsRpcError) !==
      null)

/**
 * Reads the last block that the chain itself calls final.
 *
 * @returns `undefined` if confirmations are counted, by setting or because the node does not know the tag.
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
    // This node knew the tag before. Counting fewer confirmations than the tag stands for would accept
    // payments too early.
    if (tellsTag.get(client) || !isUnknownTag(error)) throw error
    tellsTag.set(client, false)
    log.warn({ chain, finality, err: error }, 'the node names no such block: counting confirmations')
    return undefined
  }
}
