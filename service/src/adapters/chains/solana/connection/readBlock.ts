import {
  isSolanaError,
  type Rpc,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_NOT_AVAILABLE,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_LONG_TERM_STORAGE_SLOT_SKIPPED,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SLOT_SKIPPED,
  type SolanaRpcApi,
} from '@solana/kit'
import { ServiceError } from '#base/errors.js'
import { chunk } from '#base/lib/chunk.js'
import type { BlockRef } from '#base/ports/chain.js'
import { parseSignature } from './parseSignature.js'

/** Slots are skipped when their leader is away, rarely more than a few in a row. */
const lookBack = 32n

/** A block may be replaced after the node listed it. */
const attempts = 3

/** Whether a node says that a slot has no block, or none that it has any more. */
export const isReplaced = (error: unknown): boolean =>
  isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_NOT_AVAILABLE) ||
  isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_LONG_TERM_STORAGE_SLOT_SKIPPED) ||
  isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SLOT_SKIPPED)

const terms = {
  commitment: 'confirmed',
  rewards: false,
  transactionDetails: 'none',
  maxSupportedTransactionVersion: 0,
} as const

/**
 * Returns the chain as of a slot: the hash and the time of the last block up to it. A skipped slot has no block
 * of its own. `undefined` if the node has none.
 */
export const readBlock = async (rpc: Rpc<SolanaRpcApi>, slot: bigint): Promise<BlockRef | undefined> => {
  const from = slot > lookBack ? slot - lookBack : 0n
  for (let attempt = 0; attempt < attempts; attempt++) {
    const slots = await rpc.getBlocks(from, slot, { commitment: 'confirmed' }).send()
    const last = slots.at(-1)
    if (last === undefined) return undefined
    const block = await rpc
      .getBlock(last, terms)
      .send()
      .catch((error) => {
        if (!isReplaced(error)) throw error
        return null
      })
    if (block) {
      return { number: slot, hash: block.blockhash, timestampMs: Number(block.blockTime ?? 0n) * 1000 }
    }
  }
  return undefined
}

/** Returns the newest confirmed block. */
export const readHead = async (rpc: Rpc<SolanaRpcApi>): Promise<BlockRef> => {
  const slot = await rpc.getSlot({ commitment: 'confirmed' }).send()
  const block = await readBlock(rpc, slot)
  if (!block) {
    const message = `The node does not show the block of its own slot ${slot}. Try again in a few minutes.`
    throw new ServiceError('chain-unavailable', message, { isOutage: true, retryAfterSeconds: 5 })
  }
  return block
}

/** Reads what the node knows of a transaction, or returns `undefined` if it knows none with that signature. */
export const readStatus = async (rpc: Rpc<SolanaRpcApi>, txId: string) => {
  const signature = parseSignature(txId)
  if (!signature) return undefined
  const { value } = await rpc.getSignatureStatuses([signature], { searchTransactionHistory: true }).send()
  return value[0] ?? undefined
}

/** How many transactions one request asks about. */
const statusesAtOnce = 256

/** Returns the slots of the confirmed blocks that include transactions, or `undefined` for one that none includes. */
export const findTransactionBlocks = async (
  rpc: Rpc<SolanaRpcApi>,
  txIds: readonly string[],
): Promise<(bigint | undefined)[]> => {
  const signatures = [...new Set(txIds.flatMap((txId) => parseSignature(txId) ?? []))]
  const slots = new Map<string, bigint>()
  for (const some of chunk(signatures, statusesAtOnce)) {
    const { value } = await rpc.getSignatureStatuses(some, { searchTransactionHistory: true }).send()
    for (const [at, signature] of some.entries()) {
      const status = value[at]
      if (status && status.confirmationStatus !== 'processed') slots.set(signature, status.slot)
    }
  }
  return txIds.map((txId) => slots.get(txId))
}
