import { setTimeout as sleep } from 'node:timers/promises'
import type { PublicClient, TransactionReceipt } from 'viem'
import { ServiceError } from '../../errors.js'
import type { BroadcastOptions } from './broadcast.js'
import { findNonceUse } from './findNonceUse.js'
import { findSigned, hashesOf, type SignedTransaction, toHex } from './signed.js'

/** What it takes to wait for a transaction. */
export type ReceiptOptions = Pick<BroadcastOptions, 'db' | 'client' | 'account' | 'chain'> & {
  confirmations: number
  pollMs: number
  /** Whether nothing happens twice if it is taken to be lost and is not. */
  isGuarded: boolean
  /** Sends again what the node may have dropped, and what an earlier nonce of is missing. */
  sendMissing(): Promise<void>
}

/** How long a transaction is waited for, and for each block that confirms it. */
const patienceMs = 60_000
const patiencePerBlockMs = 15_000
const mostPatienceMs = 30 * 60_000
/** How often a receipt is asked for in vain before it is asked why the transaction does not come. */
const pollsBeforeDoubt = 5
/** How many such looks in a row must find the nonce used by another transaction before it is believed. */
const looksBeforeBelief = 3

const nextHeads = new WeakMap<PublicClient, Promise<bigint>>()

/** Reads the head after a while. All that wait on one node share the pause and the question. */
const readNextHead = (client: PublicClient, pollMs: number): Promise<bigint> => {
  const known = nextHeads.get(client)
  if (known) return known
  const next = sleep(pollMs)
    .then(() => client.getBlockNumber({ cacheTime: 0 }))
    .finally(() => nextHeads.delete(client))
  nextHeads.set(client, next)
  return next
}

/** Finds the receipt of a transaction, under whichever of its hashes it landed. */
export const findReceipt = async (
  client: PublicClient,
  signed: SignedTransaction,
): Promise<TransactionReceipt | undefined> => {
  for (const hash of hashesOf(signed)) {
    const receipt = await client.getTransactionReceipt({ hash: toHex(hash) }).catch((error) => {
      if (error instanceof Error && error.name === 'TransactionReceiptNotFoundError') return undefined
      throw error
    })
    if (receipt) return receipt
  }
  return undefined
}

type DepthOptions = Pick<ReceiptOptions, 'client' | 'confirmations'>

/** Whether a transaction is so deep in the chain that it stays there. */
export const isDeepEnough = async (
  { client, confirmations }: DepthOptions,
  { blockNumber }: TransactionReceipt,
  knownHead?: bigint,
): Promise<boolean> => {
  if (confirmations <= 1) return true
  const head = knownHead ?? (await client.getBlockNumber({ cacheTime: 0 }))
  return head - blockNumber + 1n >= BigInt(confirmations)
}

/** Whether the chain has gone past a transaction's nonce without having it: somebody else used the key. */
const isNonceTaken = async (
  { client, account, confirmations, isGuarded }: ReceiptOptions,
  signed: SignedTransaction,
): Promise<boolean> => {
  const { address } = account
  const nonce = await client.getTransactionCount({ address, blockTag: 'latest' })
  if (nonce <= signed.nonce || (await findReceipt(client, signed))) return false
  const use = await findNonceUse(client, address, signed.nonce)
  // Where the node does not tell, it may have been this one.
  if (!use) return isGuarded
  // A node may have the block of ours, and not its receipt yet.
  if (hashesOf(signed).includes(use.hash)) return false
  const head = await client.getBlockNumber({ cacheTime: 0 })
  return head - use.blockNumber + 1n >= BigInt(confirmations)
}

/**
 * Waits until a transaction is so deep in the chain that it stays there.
 *
 * @param onLanded - Is told as soon as it is in a block.
 * @returns `taken` when it can never be there, because another transaction has used its nonce.
 * @throws {ServiceError} `chain-unavailable` when it takes too long: the caller asks again later.
 */
export const awaitReceipt = async (
  options: ReceiptOptions,
  sent: SignedTransaction,
  onLanded: () => void,
): Promise<TransactionReceipt | { taken: SignedTransaction }> => {
  const { db, client, chain, confirmations, pollMs, sendMissing } = options
  const waitMs = Math.min(patienceMs + (confirmations - 1) * patiencePerBlockMs, mostPatienceMs)
  let signed = sent
  const startedAtMs = Date.now()
  let doubtedAtMs = startedAtMs
  let looksTaken = 0
  let head: bigint | undefined
  while (Date.now() - startedAtMs < waitMs) {
    const receipt = await findReceipt(client, signed)
    if (receipt) onLanded()
    if (receipt && (await isDeepEnough(options, receipt, head))) return receipt
    // Until it may be deep enough, its receipt tells nothing new.
    do head = await readNextHead(client, pollMs)
    while (receipt && !(await isDeepEnough(options, receipt, head)) && Date.now() - startedAtMs < waitMs)
    if (receipt || Date.now() - doubtedAtMs < pollMs * pollsBeforeDoubt) continue
    doubtedAtMs = Date.now()
    // It may have been signed again, by this process or another.
    signed = (await findSigned(db, signed.key)) ?? signed
    looksTaken = (await isNonceTaken(options, signed)) ? looksTaken + 1 : 0
    if (looksTaken >= looksBeforeBelief) return { taken: signed }
    // An earlier nonce may be missing, or the node has dropped this one.
    if (looksTaken === 0) await sendMissing()
  }
  throw new ServiceError('chain-unavailable', `The chain ${chain} has not taken a transaction yet.`, {
    retryAfterSeconds: 5,
  })
}
