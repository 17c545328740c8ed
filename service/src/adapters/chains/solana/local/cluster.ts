import { type EncodedAccount, getTransactionDecoder } from '@solana/kit'
import {
  blockAt,
  type ClusterChange,
  type ClusterOptions,
  type ClusterState,
  isCurrent,
  openParts,
} from './clusterParts.js'
import { createClusterReads } from './clusterReads.js'
import { isSigned, type Message, type Simulation, signatureOf, simulate } from './execute.js'
import { produceBlock, undoLast } from './produceBlock.js'
import { replayChange, saveChange, saveState } from './saveCluster.js'

const decoder = getTransactionDecoder()

/**
 * Creates a Solana cluster in this process: a virtual machine whose transactions land in blocks, of which the
 * caller asks for one per slot. The cluster itself checks blockhashes, nonces and repeated transactions, because it
 * also undoes them. It goes on from a saved state, and from the changes since.
 */
export const createCluster = (
  options: ClusterOptions,
  state?: ClusterState,
  changes: readonly ClusterChange[] = [],
) => {
  const parts = openParts(options, state)
  const { machine, store, queue } = parts
  for (const change of changes) replayChange(parts, change)
  const openedIn = parts.slot
  if (!store.lastBlock()) produceBlock(parts)

  return {
    ...createClusterReads(parts),
    produceBlock: () => produceBlock(parts),
    /** Lets a slot pass without a block, as when its leader is away. */
    skipSlot: (): void => {
      parts.slot++
    },
    /**
     * Replaces the last blocks by later ones that are empty. Their transactions did not happen. If they are
     * kept, they wait for the next block.
     */
    fork: (depth: number, isKept = false): void => {
      for (let left = depth; left > 0; left--) undoLast(parts, { isKept, openedIn })
    },
    /** Loses the next transactions that are sent, as a busy leader does. Their senders are not told. */
    loseTransactions: (count: number): void => {
      parts.losses = count
    },
    /** Drops every block and transaction before the finalized slot, as a node does that keeps a short history. */
    cleanUpHistory: (): void => {
      store.cleanUp(blockAt(parts, 'finalized').slot)
      parts.savedSlot = undefined
    },
    isCurrent: (transaction: Message): boolean => isCurrent(parts, transaction),
    /** Simulates a transaction. `checks` says whether its signatures, and its blockhash, must be good. */
    simulate: (bytes: Uint8Array, checks: { signatures: boolean; blockhash: boolean }): Simulation => {
      const transaction = decoder.decode(bytes)
      const refuse = (error: string): Simulation => ({ error, logs: [], computeUnits: 0n, accounts: [] })
      if (checks.signatures && !isSigned(transaction)) return refuse('SignatureFailure')
      if (checks.signatures && store.isProcessed(signatureOf(transaction))) return refuse('AlreadyProcessed')
      if (checks.blockhash && !isCurrent(parts, transaction)) return refuse('BlockhashNotFound')
      return simulate(machine, transaction, checks.signatures)
    },
    /** Takes a transaction for the next block, and returns its signature. Nothing says that it will land. */
    submit: (bytes: Uint8Array): string => {
      const transaction = decoder.decode(bytes)
      const signature = signatureOf(transaction)
      if (parts.losses > 0) parts.losses--
      else if (isSigned(transaction) && !store.isProcessed(signature))
        queue.set(signature, { transaction, bytes })
      return signature
    },
    /** Sets an account, as only the first block of a cluster can. */
    setAccount: (account: EncodedAccount): void => machine.setAccount(account),
    /** Returns the state from which {@link createCluster} goes on. */
    save: (): ClusterState => saveState(parts),
    /** Returns what happened since the last save, or `undefined` if only the whole state says it. */
    saveChange: (): ClusterChange | undefined => saveChange(parts),
  }
}

/** A Solana cluster in this process. */
export type Cluster = ReturnType<typeof createCluster>
