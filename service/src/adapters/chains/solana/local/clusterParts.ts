import type { MaybeEncodedAccount, Transaction } from '@solana/kit'
import { LiteSVM } from 'litesvm'
import { createAccountHistory } from './accountHistory.js'
import { type Block, type BlockstoreState, createBlockstore, type LandedTransaction } from './blockstore.js'
import { findNonceAccount } from './durableNonce.js'
import { type Message, readMessage } from './execute.js'

/** How sure it is that a block stays: `processed` may be replaced, `finalized` never is. */
export type Commitment = 'processed' | 'confirmed' | 'finalized'

/** How a cluster counts time: `now` in epoch milliseconds, the others in slots. */
export type ClusterOptions = { now(): number; confirmedAfter?: number; finalizedAfter?: number }

/** What a cluster needs to go on after a restart. */
export type ClusterState = BlockstoreState & { slot: bigint; machine: Uint8Array }

/** What happened in a cluster since an earlier slot: its new blocks, and what their transactions left. */
export type ClusterChange = {
  slot: bigint
  blocks: Block[]
  transactions: LandedTransaction[]
  accounts: MaybeEncodedAccount[]
}

/** The virtual machine of a cluster, its blocks, and what waits for the next one. */
export type ClusterParts = {
  now(): number
  machine: LiteSVM
  history: ReturnType<typeof createAccountHistory>
  store: ReturnType<typeof createBlockstore>
  queue: Map<string, { transaction: Transaction; bytes: Uint8Array }>
  slot: bigint
  /** How many slots a block is old when it has a commitment. */
  readonly lag: Readonly<Record<Commitment, bigint>>
  /** How many of the next transactions are lost. */
  losses: number
  /** The slot whose state was saved last, or `undefined` if blocks that were saved are gone. */
  savedSlot: bigint | undefined
}

/** The slot from which a cluster starts. */
export const firstSlot = 1n

/** Opens the parts of a cluster, in a saved state or without a block. */
export const openParts = (
  { now, confirmedAfter = 2, finalizedAfter = 32 }: ClusterOptions,
  state: ClusterState | undefined,
): ClusterParts => {
  const machine = (state ? LiteSVM.fromBytes(state.machine) : new LiteSVM())
    .withBlockhashCheck(false)
    .withTransactionHistory(0n)
  return {
    now,
    machine,
    history: createAccountHistory(machine),
    store: createBlockstore(state),
    queue: new Map(),
    slot: state?.slot ?? firstSlot,
    lag: { processed: 0n, confirmed: BigInt(confirmedAfter), finalized: BigInt(finalizedAfter) },
    losses: 0,
    savedSlot: undefined,
  }
}

/** Returns the newest slot of a commitment. */
export const slotAt = ({ slot, lag, store }: ClusterParts, commitment: Commitment): bigint => {
  const newest = slot - lag[commitment]
  // The first block is final at once.
  const first = store.firstBlock()?.slot ?? firstSlot
  return newest > first ? newest : first
}

/** Returns the newest block of a commitment. */
export const blockAt = (parts: ClusterParts, commitment: Commitment): Block => {
  const block = parts.store.lastBlockAt(slotAt(parts, commitment))
  if (!block) throw new Error('the cluster has no block')
  return block
}

/** Whether a transaction may land now: its blockhash is recent, or its nonce is the one stored. */
export const isCurrent = (parts: ClusterParts, transaction: Message): boolean => {
  const { machine, store } = parts
  const { lifetime } = readMessage(machine, transaction)
  const { height } = blockAt(parts, 'processed')
  return store.isBlockhashValid(lifetime, height) || findNonceAccount(machine, transaction) !== undefined
}
