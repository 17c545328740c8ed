import { setTimeout as sleep } from 'node:timers/promises'
import type { Base64EncodedWireTransaction, Signature, TransactionError } from '@solana/kit'
import { ServiceError } from '#base/errors.js'
import { chunk } from '#base/lib/chunk.js'
import { createBatch } from '#base/lib/createBatch.js'
import { isReplaced } from '../connection/readBlock.js'
import { withNode } from '../connection/withNode.js'
import type { SignedBytes } from './signedTransactions.js'
import type { Commitment, OutboxOptions } from './write.js'

/** How many blocks a blockhash is valid for. */
export const blockhashLifetime = 150n
/** How often the bytes are sent again while nothing is heard of them. @units requests for their status */
const resendEvery = 5

/** Where a transaction has landed, and why it failed there. */
export type Landing = { slot: bigint; error: TransactionError | null }

/** The node that sends transactions and says what became of them. */
type Node = Pick<OutboxOptions, 'chain' | 'rpc' | 'askTogether' | 'pollMs'>

/** What proves that bytes can never land, from one node if it answers lists of requests. */
type Evidence = {
  /** The newest final block. */
  height: bigint
  slot: bigint
  /** Whether the node knows the transaction, and as of which slot. */
  isKnown: boolean
  asOf: bigint
  /** The oldest block that the node has. */
  firstSlot: bigint
}

/** Sends bytes without a simulation, so that only blocks decide about them. */
export const broadcast = ({ chain, rpc }: Node, { signedTransaction }: SignedBytes): Promise<Signature> =>
  withNode(chain, () =>
    rpc
      .sendTransaction(signedTransaction as Base64EncodedWireTransaction, {
        encoding: 'base64',
        skipPreflight: true,
      })
      .send(),
  )

/** Where the node has seen a transaction, if anywhere, and as of which slot the node says so. */
type Sight = {
  status: { at: string | null; slot: bigint; error: TransactionError | null } | undefined
  asOf: bigint
}

/** How many transactions a node tells about at once. */
const maxStatuses = 256

const readStatuses = async ({ chain, rpc }: Node, signatures: readonly string[]): Promise<Sight[]> => {
  const { value, context } = await withNode(chain, () =>
    rpc.getSignatureStatuses(signatures as Signature[], { searchTransactionHistory: true }).send(),
  )
  return signatures.map((_, at) => {
    const found = value[at]
    const status = found ? { at: found.confirmationStatus, slot: found.slot, error: found.err } : undefined
    return { status, asOf: context.slot }
  })
}

type Height = { height: bigint; slot: bigint }

const readFinalNow = async ({ chain, rpc }: Node): Promise<Height> => {
  const epoch = await withNode(chain, () => rpc.getEpochInfo({ commitment: 'finalized' }).send())
  return { height: epoch.blockHeight, slot: epoch.absoluteSlot }
}

/** Creates the questions that all who wait for transactions on one node ask together. */
const createQuestions = (node: Node) => ({
  status: createBatch(async (signatures: readonly string[]) => {
    const sights = chunk(signatures, maxStatuses).map((some) => readStatuses(node, some))
    return (await Promise.all(sights)).flat()
  }),
  final: createBatch(async (asked: readonly undefined[]) => {
    const final = await readFinalNow(node)
    return asked.map(() => final)
  }),
})

const questions = new WeakMap<Node['rpc'], ReturnType<typeof createQuestions>>()

const questionsTo = (node: Node): ReturnType<typeof createQuestions> => {
  const known = questions.get(node.rpc) ?? createQuestions(node)
  questions.set(node.rpc, known)
  return known
}

/** Reads where the node has seen a transaction, together with all that are asked about at the same moment. */
export const readStatus = (node: Node, { signature }: Pick<SignedBytes, 'signature'>): Promise<Sight> =>
  questionsTo(node).status(signature)

/** Reads the height and the slot of the newest final block, once for all who ask at the same moment. */
export const readFinal = (node: Node): Promise<Height> => questionsTo(node).final(undefined)

const readTogether = async (
  { askTogether }: Node,
  { signature }: SignedBytes,
): Promise<Evidence | undefined> => {
  const results = await askTogether([
    { method: 'getEpochInfo', params: [{ commitment: 'finalized' }] },
    { method: 'getSignatureStatuses', params: [[signature], { searchTransactionHistory: true }] },
    { method: 'getFirstAvailableBlock', params: [] },
  ])
  if (!results) return undefined
  const [epoch, statuses, firstSlot] = results as [
    { blockHeight: bigint; absoluteSlot: bigint },
    { context: { slot: bigint }; value: readonly unknown[] },
    bigint,
  ]
  return {
    height: epoch.blockHeight,
    slot: epoch.absoluteSlot,
    isKnown: statuses.value[0] !== null,
    asOf: statuses.context.slot,
    firstSlot,
  }
}

/** Reads the same in three requests, each of which may go to another node. */
const readApart = async (node: Node, bytes: SignedBytes): Promise<Evidence> => {
  const { height, slot } = await readFinal(node)
  const { status, asOf } = await readStatus(node, bytes)
  const firstSlot = await withNode(node.chain, () => node.rpc.getFirstAvailableBlock().send())
  return { height, slot, isKnown: status !== undefined, asOf, firstSlot }
}

/** Returns the height of the oldest block that the node has, or `undefined` if the node does not show it. */
const readFirstHeight = async ({ chain, rpc }: Node, slot: bigint): Promise<bigint | undefined> => {
  const terms = { transactionDetails: 'none', rewards: false, maxSupportedTransactionVersion: 0 } as const
  const block = await withNode(chain, () =>
    rpc
      .getBlock(slot, { ...terms, commitment: 'confirmed' })
      .send()
      .catch((error) => {
        if (!isReplaced(error)) throw error
        return null
      }),
  )
  return block?.blockHeight ?? undefined
}

/**
 * Throws unless the node has every block that could include the bytes. A node that was restarted from a
 * snapshot lacks older blocks, and reports their transactions as unknown.
 */
const assertHistory = async (
  node: Node,
  { lastValidBlockHeight, signature }: SignedBytes,
  { firstSlot }: Evidence,
): Promise<void> => {
  const firstNeeded = lastValidBlockHeight - blockhashLifetime
  // A height never exceeds its slot, so a low slot needs no second request.
  const firstHeight = firstSlot <= firstNeeded ? firstSlot : await readFirstHeight(node, firstSlot)
  if (firstHeight !== undefined && firstHeight <= firstNeeded) return
  const message = `The node of ${node.chain} lacks the blocks that could include ${signature}. Use a node with an older history.`
  throw new ServiceError('chain-unavailable', message, { retryAfterSeconds: 60 })
}

/**
 * Whether bytes can never land: the last block that could include them is final, and the node that has all blocks
 * since lists them in none.
 */
const isExpired = async (node: Node, bytes: SignedBytes): Promise<boolean> => {
  const { height } = await readFinal(node)
  if (height <= bytes.lastValidBlockHeight) return false
  const together = await withNode(node.chain, () => readTogether(node, bytes))
  const evidence = together ?? (await readApart(node, bytes))
  const isPast = evidence.height > bytes.lastValidBlockHeight && evidence.asOf >= evidence.slot
  if (evidence.isKnown || !isPast) return false
  await assertHistory(node, bytes, evidence)
  return true
}

/** Returns where bytes have landed, `never` if they never will, or `undefined` while that is open. */
export const findLanding = async (
  node: Node,
  bytes: SignedBytes,
  commitment: Commitment,
): Promise<Landing | 'never' | undefined> => {
  const { status } = await readStatus(node, bytes)
  if (status) return status.at === 'finalized' || status.at === commitment ? status : undefined
  return (await isExpired(node, bytes)) ? 'never' : undefined
}

/** Waits until bytes have landed, and sends them again meanwhile. Returns `undefined` if they never will. */
export const awaitLanding = async (
  node: Node,
  bytes: SignedBytes,
  { commitment, sendAgain }: { commitment: Commitment; sendAgain(): Promise<unknown> },
): Promise<Landing | undefined> => {
  for (let asked = 1; ; asked++) {
    const { status } = await readStatus(node, bytes)
    if (status?.at === 'finalized' || (status && status.at === commitment)) return status
    if (!status && (await isExpired(node, bytes))) return undefined
    if (!status && asked % resendEvery === 0) await sendAgain()
    await sleep(node.pollMs)
  }
}
