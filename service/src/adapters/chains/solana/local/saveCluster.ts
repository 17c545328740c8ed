import { restoreAccount } from './accountHistory.js'
import type { ClusterChange, ClusterParts, ClusterState } from './clusterParts.js'

/** Returns the state from which a cluster goes on. */
export const saveState = (parts: ClusterParts): ClusterState => {
  const { slot, store, machine } = parts
  parts.savedSlot = slot
  return { slot, ...store.save(), machine: machine.toBytes() }
}

/** Returns what happened since the last save, or `undefined` if only the whole state says it. */
export const saveChange = (parts: ClusterParts): ClusterChange | undefined => {
  const { slot, savedSlot, store, machine } = parts
  if (savedSlot === undefined) return undefined
  const blocks = store.listBlocks(savedSlot + 1n, slot)
  const transactions = store.transactionsBetween(savedSlot + 1n, slot)
  const changed = new Set(transactions.flatMap((each) => each.changed))
  const accounts = [...changed].map((address) => machine.getAccount(address))
  // A program that is deployed or upgraded is more than its accounts: the machine has compiled it.
  if (accounts.some((each) => each.exists && each.programAddress.startsWith('BPFLoader'))) return undefined
  parts.savedSlot = slot
  return { slot, blocks, transactions, accounts }
}

/** Takes over what happened after a saved state. */
export const replayChange = (parts: ClusterParts, change: ClusterChange): void => {
  const { machine, store } = parts
  for (const account of change.accounts) restoreAccount(machine, account)
  for (const transaction of change.transactions) store.addTransaction(transaction)
  const { height = 0n } = store.lastBlock() ?? {}
  for (const block of change.blocks) store.addBlock(block)
  // Nonces depend on how often the machine's blockhash was replaced.
  for (let at = height; at < (store.lastBlock()?.height ?? 0n); at++) machine.expireBlockhash()
  parts.slot = change.slot
}
