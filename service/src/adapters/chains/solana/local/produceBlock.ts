import { randomBytes } from 'node:crypto'
import { type Blockhash, getBase58Decoder, getTransactionDecoder, type Transaction } from '@solana/kit'
import { Clock, type SlotHash } from 'litesvm'
import type { Block } from './blockstore.js'
import { type ClusterParts, slotAt } from './clusterParts.js'
import { findNonceAccount } from './durableNonce.js'
import { execute, readMessage } from './execute.js'

/** How many slots an epoch has. */
export const slotsPerEpoch = 432_000n
/** How many blocks the sysvar of slot hashes lists. */
const slotHashes = 512
const decoder = getTransactionDecoder()

const newBlockhash = (): Blockhash => getBase58Decoder().decode(randomBytes(32)) as Blockhash

const include = (
  { machine, history, store }: ClusterParts,
  block: Block,
  { signature, transaction, bytes }: { signature: string; transaction: Transaction; bytes: Uint8Array },
): void => {
  const message = readMessage(machine, transaction)
  const isFresh = store.isBlockhashValid(message.lifetime, block.height)
  const nonceAccount = isFresh ? undefined : findNonceAccount(machine, transaction)
  if ((!isFresh && nonceAccount === undefined) || store.isProcessed(signature)) return
  const executed = execute(machine, transaction, { ...message, nonceAccount })
  if (!executed) return
  const { pre, post, ...done } = executed
  const changed = history.record(block.slot, pre, post)
  block.signatures.push(signature)
  const { accounts } = message
  store.addTransaction({ ...done, signature, slot: block.slot, time: block.time, bytes, accounts, changed })
}

/** Makes the block of the next slot from the transactions that wait. */
export const produceBlock = (parts: ClusterParts): Block => {
  const { machine, history, store, queue } = parts
  const slot = ++parts.slot
  const time = BigInt(Math.floor(parts.now() / 1000))
  const epoch = slot / slotsPerEpoch
  machine.setClock(new Clock(slot, time, epoch, epoch + 1n, time))
  // The nonces of a block depend on the machine's own blockhash, which this replaces.
  machine.expireBlockhash()
  const recent = store.listNewest(slotHashes)
  // A lookup table is derived from a slot that this sysvar lists.
  machine.setSlotHashes(recent.map((block) => ({ slot: block.slot, hash: block.blockhash }) as SlotHash))
  const { height = 0n, transactionCount = 0n } = recent[0] ?? {}
  const block: Block = {
    slot,
    height: height + 1n,
    time,
    transactionCount,
    blockhash: newBlockhash(),
    signatures: [],
  }
  const waiting = [...queue]
  queue.clear()
  for (const [signature, sent] of waiting) include(parts, block, { signature, ...sent })
  block.transactionCount += BigInt(block.signatures.length)
  store.addBlock(block)
  history.forget(slotAt(parts, 'finalized'))
  return block
}

/**
 * Undoes the last block. Its transactions did not happen.
 *
 * @param terms.isKept - Whether its transactions wait for the next block.
 * @param terms.openedIn - The slot in which this process opened the cluster.
 */
export const undoLast = (
  parts: ClusterParts,
  { isKept, openedIn }: { isKept: boolean; openedIn: bigint },
): void => {
  const { history, store, queue } = parts
  const last = store.lastBlock()
  if (!last || last.slot <= slotAt(parts, 'finalized') || last.slot <= openedIn) {
    throw new RangeError('a block that is final, or older than this process, is never replaced')
  }
  const removed = store.removeLast()
  parts.savedSlot = undefined
  history.undo(last.slot)
  for (const { signature, bytes } of removed?.transactions ?? []) {
    if (isKept) queue.set(signature, { transaction: decoder.decode(bytes), bytes })
  }
}
