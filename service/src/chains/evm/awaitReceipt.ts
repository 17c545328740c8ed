import { setTimeout as sleep } from 'node:timers/promises'
import type { PublicClient, TransactionReceipt } from 'viem'
import { ServiceError } from '../../errors.js'
import type { BroadcastOptions } from './broadcast.js'
import { findNonceUse } from './findNonceUse.js'
import { findSigned, hashesOf, type SignedTransaction, toHex } from './signed.js'

/** What `awaitReceipt` needs. */
export type ReceiptOptions = Pick<BroadcastOptions, 'db' | 'client' | 'account' | 'chain'> & {
  confirmations: number
  pollMs: number
  /** Whether the contracts prevent a second execution if the transaction is wrongly taken to be lost. */
  isGuarded: boolean
  /** Sends again what the node may have dropped, and the transactions whose earlier nonces are missing. */
  sendMissing(): Promise<void>
}

/** How long to wait for a transaction, and for each block that confirms it. */
const patienceMs = 60_000
const patiencePerBlockMs = 15_000
const mostPatienceMs = 30 * 60_000
/** How many polls without a receipt pass before the nonce is checked. */
const pollsBeforeDoubt = 5
/** How many checks in a row must find the nonce used by another transaction before the result counts. */
const looksBeforeBelief = 3

const nextHeads = new WeakMap<PublicClient, Promise<bigint>>()

/** Reads the head after a pause. All callers that wait on one node share the pause and the request. */
const readNextHead = (client: PublicClient, pollMs: number): Promise<bigint> => {
  const known = nextHeads.get(client)
  if (known) return known
  const next = sleep(pollMs)
    .then(() => client.getBlockNumber({ cacheTime: 0 }))
    .finally(() => nextHeads.delete(client))
  nextHeads.set(client, next)
  return next
}

/** Finds the receipt of a transaction under any of its hashes. */
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

/** Whether a transaction has enough confirmations to be final. */
export const isDeepEnough = async (
  { client, confirmations }: DepthOptions,
  { blockNumber }: TransactionReceipt,
  knownHead?: bigint,
): Promise<boolean> => {
  if (confirmations <= 1) return true
  const head = knownHead ?? (await client.getBlockNumber({ cacheTime: 0 }))
  return head - blockNumber + 1n >= BigInt(confirmations)
}

/** Whether another transaction used the nonce, because the key was also used elsewhere. */
const isNonceTaken = async (
  { client, account, confirmations, isGuarded }: ReceiptOptions,
  signed: SignedTransaction,
): Promise<boolean> => {
  const { address } = account
  const nonce = await client.getTransactionCount({ address, blockTag: 'latest' })
  if (nonce <= signed.nonce || (await findReceipt(client, signed))) return false
  const use = await findNonceUse(client, address, signed.nonce)
  // The node cannot tell which transaction used the nonce, so it may have been this one.
  if (!use) return isGuarded
  // A node may have the block of our transaction before it has the receipt.
  if (hashesOf(signed).includes(use.hash)) return false
  const head = await client.getBlockNumber({ cacheTime: 0 })
  return head - use.blockNumber + 1n >= BigInt(confirmations)
}

/**
 * Waits until a transaction has enough confirmations to be final.
 *
 * @param onLanded - Called as soon as the transaction is in a block.
 * @returns `taken` if another transaction has used the nonce, so that this one can never land.
 * @throws {ServiceError} `chain-unavailable` if the wait takes too long. The caller tries again later.
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
    // The receipt stays the same until the transaction may have enough confirmations.
    do head = await readNextHead(client, pollMs)
    while (receipt && !(await isDeepEnough(options, receipt, head)) && Date.now() - startedAtMs < waitMs)
    if (receipt || Date.now() - doubtedAtMs < pollMs * pollsBeforeDoubt) continue
    doubtedAtMs = Date.now()
    // This process or another may have signed it again.
    signed = (await findSigned(db, signed.key)) ?? signed
    looksTaken = (await isNonceTaken(options, signed)) ? looksTaken + 1 : 0
    if (looksTaken >= looksBeforeBelief) return { taken: signed }
    // An earlier nonce may be missing, or the node may have dropped this transaction.
    if (looksTaken === 0) await sendMissing()
  }
  throw new ServiceError('chain-unavailable', `The chain ${chain} has not taken a transaction yet.`, {
    retryAfterSeconds: 5,
  })
}
