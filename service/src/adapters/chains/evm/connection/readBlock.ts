import { isHash, type PublicClient } from 'viem'
import type { BlockRef } from '#base/ports/chain.js'
import { keepBlockTime } from './blockTimes.js'
import { shareInFlight } from './shareInFlight.js'

type MinedBlock = { number: bigint; hash: string; timestamp: bigint }

const toRef = ({ number, hash, timestamp }: MinedBlock): BlockRef => ({
  number,
  hash,
  timestampMs: Number(timestamp) * 1000,
})

const unless =
  (name: string) =>
  (error: unknown): undefined => {
    if (!(error instanceof Error && error.name === name)) throw error
  }

/** Returns the latest block that the node knows. */
export const getHead = shareInFlight(async (client): Promise<BlockRef> => {
  const block = await client.getBlock({ blockTag: 'latest' })
  // A new payment is usually in it.
  keepBlockTime(client, block)
  return toRef(block)
})

/** Returns the block with a number, or `undefined` if the node does not have it. */
export const getBlock = async (client: PublicClient, blockNumber: bigint): Promise<BlockRef | undefined> => {
  const block = await client.getBlock({ blockNumber }).catch(unless('BlockNotFoundError'))
  return block && toRef(block)
}

/**
 * Returns the number of the block that includes a transaction, or `undefined` if no block does or the id is
 * not a hash.
 */
export const findTransactionBlock = async (
  client: PublicClient,
  txId: string,
): Promise<bigint | undefined> => {
  if (!isHash(txId)) return undefined
  const receipt = await client
    .getTransactionReceipt({ hash: txId })
    .catch(unless('TransactionReceiptNotFoundError'))
  return receipt?.blockNumber
}
