import { setTimeout as sleep } from 'node:timers/promises'
import type {
  Base64EncodedWireTransaction,
  Rpc,
  Signature,
  SolanaRpcApi,
  TransactionError,
} from '@solana/kit'
import { ServiceError } from '#base/errors.js'
import type { AskTogether } from '../connection/askTogether.js'
import { isReplaced } from '../connection/readBlock.js'
import { withNode } from '../connection/withNode.js'
import type { SignedBytes } from './signedTransactions.js'

/** How many blocks a blockhash is valid for. */
export const blockhashLifetime = 150n
/** How often the bytes are sent again while nothing is heard of them. @units requests for their status */
const resendEvery = 5

type Commitment = 'confirmed' | 'finalized'

/** Where a transaction has landed, and why it failed there. */
export type Landing = { slot: bigint; error: TransactionError | null }

type Options = {
  chain: string
  rpc: Rpc<SolanaRpcApi>
  askTogether: AskTogether
  pollMs: number
}

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

/** Creates the functions that send bytes and find out what became of them. */
export const createLandings = ({ chain, rpc, askTogether, pollMs }: Options) => {
  const ask = <Result>(work: () => Promise<Result>) => withNode(chain, work)

  /** Sends bytes without a simulation, so that only blocks decide about them. */
  const broadcast = ({ signedTransaction }: SignedBytes) =>
    ask(() =>
      rpc
        .sendTransaction(signedTransaction as Base64EncodedWireTransaction, {
          encoding: 'base64',
          skipPreflight: true,
        })
        .send(),
    )

  const readStatus = async ({ signature }: SignedBytes) => {
    const { value, context } = await ask(() =>
      rpc.getSignatureStatuses([signature as Signature], { searchTransactionHistory: true }).send(),
    )
    const [found] = value
    const status = found ? { at: found.confirmationStatus, slot: found.slot, error: found.err } : undefined
    return { status, asOf: context.slot }
  }

  const readFinal = () => ask(() => rpc.getEpochInfo({ commitment: 'finalized' }).send())

  const readTogether = async ({ signature }: SignedBytes): Promise<Evidence | undefined> => {
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
  const readApart = async (bytes: SignedBytes): Promise<Evidence> => {
    const { blockHeight: height, absoluteSlot: slot } = await readFinal()
    const { status, asOf } = await readStatus(bytes)
    const firstSlot = await ask(() => rpc.getFirstAvailableBlock().send())
    return { height, slot, isKnown: status !== undefined, asOf, firstSlot }
  }

  /** Returns the height of the oldest block that the node has, or `undefined` if the node does not show it. */
  const readFirstHeight = async (slot: bigint): Promise<bigint | undefined> => {
    const terms = { transactionDetails: 'none', rewards: false, maxSupportedTransactionVersion: 0 } as const
    const block = await ask(() =>
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
    { lastValidBlockHeight, signature }: SignedBytes,
    { firstSlot }: Evidence,
  ): Promise<void> => {
    const firstNeeded = lastValidBlockHeight - blockhashLifetime
    // A height never exceeds its slot, so a low slot needs no second request.
    const firstHeight = firstSlot <= firstNeeded ? firstSlot : await readFirstHeight(firstSlot)
    if (firstHeight !== undefined && firstHeight <= firstNeeded) return
    const message = `The node of ${chain} lacks the blocks that could include ${signature}. Use a node with an older history.`
    throw new ServiceError('chain-unavailable', message, { retryAfterSeconds: 60 })
  }

  /**
   * Whether bytes can never land: the last block that could include them is final, and the node that has all blocks
   * since lists them in none.
   */
  const isExpired = async (bytes: SignedBytes): Promise<boolean> => {
    const { blockHeight } = await readFinal()
    if (blockHeight <= bytes.lastValidBlockHeight) return false
    const evidence = (await ask(() => readTogether(bytes))) ?? (await readApart(bytes))
    const isPast = evidence.height > bytes.lastValidBlockHeight && evidence.asOf >= evidence.slot
    if (evidence.isKnown || !isPast) return false
    await assertHistory(bytes, evidence)
    return true
  }

  /** Returns where bytes have landed, `never` if they never will, or `undefined` while that is open. */
  const findLanding = async (
    bytes: SignedBytes,
    commitment: Commitment,
  ): Promise<Landing | 'never' | undefined> => {
    const { status } = await readStatus(bytes)
    if (status) return status.at === 'finalized' || status.at === commitment ? status : undefined
    return (await isExpired(bytes)) ? 'never' : undefined
  }

  return {
    broadcast,
    readStatus,
    readFinal,
    findLanding,
    /** Waits until bytes have landed, and sends them again meanwhile. Returns `undefined` if they never will. */
    awaitLanding: async (
      bytes: SignedBytes,
      commitment: Commitment,
      sendAgain: () => Promise<unknown>,
    ): Promise<Landing | undefined> => {
      for (let asked = 1; ; asked++) {
        const { status } = await readStatus(bytes)
        if (status?.at === 'finalized' || (status && status.at === commitment)) return status
        if (!status && (await isExpired(bytes))) return undefined
        if (!status && asked % resendEvery === 0) await sendAgain()
        await sleep(pollMs)
      }
    },
  }
}
