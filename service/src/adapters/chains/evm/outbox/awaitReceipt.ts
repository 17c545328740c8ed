import { setTimeout as sleep } from 'node:timers/promises'
import type { Address, PublicClient, TransactionReceipt } from 'viem'
import { ServiceError } from '#base/errors.js'
import { shareInFlight, shareInFlightBy } from '../connection/shareInFlight.js'
import type { BroadcastOptions } from './broadcast.js'
import { findNonceUse } from './findNonceUse.js'
import { findReceipt, findReceiptTogether } from './findReceipts.js'
import { findSigned, hashesOf, type SignedTransaction } from './signed.js'

/** What `awaitReceipt` needs. */
export type ReceiptOptions = Pick<BroadcastOptions, 'db' | 'client' | 'batching' | 'account' | 'chain'> & {
  confirmations: number
  pollMs: number
  /** Waits for the next block, at most for a time in milliseconds. */
  nextHead?: ((mostMs: number) => Promise<unknown>) | undefined
  /** Whether the contracts prevent a second execution if the transaction is wrongly taken to be lost. */
  isGuarded: boolean
  /** Whether the wait ends as `untold` after an hour in which the node could not tell what used the nonce. */
  mayEndUnknown: boolean
  /** Whether the node has refused a transaction when it was sent last. */
  isRefused(txId: string): boolean
  /** Sends again what the node may have dropped, and the transactions whose earlier nonces are missing. */
  sendMissing(): Promise<void>
}

/** How long to wait for a transaction, and for each block that confirms it. */
const patienceMs = 60_000
const patiencePerBlockMs = 15_000
const maxPatienceMs = 30 * 60_000
/** How many polls without a receipt pass before the nonce is checked. */
const pollsBeforeDoubt = 5
/** How many checks in a row must find the nonce used by another transaction before the result counts. */
const looksBeforeBelief = 3
/** How old a transaction is when the wait for a node that cannot tell what became of it may end. */
const untoldAfterMs = 60 * 60_000

const nextHeads = new WeakMap<PublicClient, Promise<bigint>>()

/**
 * Reads the head once there may be another, or after a pause. All callers that wait on one node share the pause and the
 * request.
 */
const readNextHead = ({ client, pollMs, nextHead = sleep }: ReceiptOptions): Promise<bigint> => {
  const known = nextHeads.get(client)
  if (known) return known
  const next = nextHead(pollMs)
    .then(() => client.getBlockNumber({ cacheTime: 0 }))
    .finally(() => nextHeads.delete(client))
  nextHeads.set(client, next)
  return next
}

const readHead = shareInFlight((client) => client.getBlockNumber({ cacheTime: 0 }))
const readCount = shareInFlightBy((client, address: Address) =>
  client.getTransactionCount({ address, blockTag: 'latest' }),
)

type DepthOptions = Pick<ReceiptOptions, 'client' | 'confirmations'>

/** Whether a transaction has enough confirmations to be final. */
export const isDeepEnough = async (
  { client, confirmations }: DepthOptions,
  { blockNumber }: TransactionReceipt,
  knownHead?: bigint,
): Promise<boolean> => {
  if (confirmations <= 1) return true
  const head = knownHead ?? (await readHead(client))
  return head - blockNumber + 1n >= BigInt(confirmations)
}

/** What used a nonce: another transaction, or one that the node cannot name. */
type NonceUse = 'taken' | 'untold'

/** Reads whether the nonce was used without this transaction, because the key was also used elsewhere. */
const readNonceUse = async (
  { client, account, confirmations, isGuarded }: ReceiptOptions,
  signed: SignedTransaction,
): Promise<NonceUse | undefined> => {
  const { address } = account
  const nonce = await readCount(client, address)
  if (nonce <= signed.nonce || (await findReceipt(client, signed))) return undefined
  const use = await findNonceUse(client, address, signed.nonce)
  // The node cannot tell which transaction used the nonce, so it may have been this one.
  if (!use) return isGuarded ? 'taken' : 'untold'
  // A node may have the block of our transaction before it has the receipt.
  if (hashesOf(signed).includes(use.hash)) return undefined
  const head = await client.getBlockNumber({ cacheTime: 0 })
  return head - use.blockNumber + 1n >= BigInt(confirmations) ? 'taken' : undefined
}

/**
 * Waits until a transaction has enough confirmations to be final.
 *
 * @param onLanded - Called as soon as the transaction is in a block.
 * @returns The use of its nonce if that was `taken`, so that this transaction can never land; or `untold`, if
 * the node could not tell for an hour whether this one has landed.
 * @throws {ServiceError} `chain-unavailable` if the wait takes too long. The caller tries again later.
 */
export const awaitReceipt = async (
  options: ReceiptOptions,
  sent: SignedTransaction,
  onLanded: (receipt: TransactionReceipt) => void,
): Promise<TransactionReceipt | { nonceUse: NonceUse; signed: SignedTransaction }> => {
  const { db, chain, confirmations, pollMs, mayEndUnknown, isRefused, sendMissing } = options
  const waitMs = Math.min(patienceMs + (confirmations - 1) * patiencePerBlockMs, maxPatienceMs)
  let signed = sent
  const startedAtMs = Date.now()
  let doubtedAtMs = startedAtMs
  let looks: { use: NonceUse | undefined; count: number } = { use: undefined, count: 0 }
  let head: bigint | undefined
  let receipt: TransactionReceipt | undefined
  while (Date.now() - startedAtMs < waitMs) {
    receipt = await findReceiptTogether(options, signed, receipt)
    if (receipt) onLanded(receipt)
    if (receipt && (await isDeepEnough(options, receipt, head))) return receipt
    // The receipt stays the same until the transaction may have enough confirmations.
    const lastHead = head
    do head = await readNextHead(options)
    while (receipt && !(await isDeepEnough(options, receipt, head)) && Date.now() - startedAtMs < waitMs)
    if (receipt) continue
    // A block makes room for what the node had no place for.
    if (lastHead !== undefined && head > lastHead && isRefused(signed.txId)) await sendMissing()
    if (Date.now() - doubtedAtMs < pollMs * pollsBeforeDoubt) continue
    doubtedAtMs = Date.now()
    // This process or another may have signed it again.
    signed = (await findSigned(db, signed.key)) ?? signed
    const use = await readNonceUse(options, signed)
    looks = { use, count: use === looks.use ? looks.count + 1 : 1 }
    const isOld = Date.now() - signed.createdAt.getTime() >= untoldAfterMs
    const mayEnd = use === 'taken' || (use === 'untold' && mayEndUnknown && isOld)
    if (use && mayEnd && looks.count >= looksBeforeBelief) return { nonceUse: use, signed }
    // An earlier nonce may be missing, or the node may have dropped this transaction.
    if (use !== 'taken') await sendMissing()
  }
  throw new ServiceError('chain-unavailable', `The chain ${chain} has not included the transaction yet.`, {
    retryAfterSeconds: 5,
  })
}
