import type { Address, Blockhash } from '@solana/kit'
import type { Execution } from './execute.js'

/** A block. A skipped slot has none, so heights count blocks and slots count time. `time` is in epoch seconds. */
export type Block = {
  slot: bigint
  height: bigint
  blockhash: Blockhash
  time: bigint
  signatures: string[]
  /** How many transactions the chain has up to this block, and with it. */
  transactionCount: bigint
}

/** A transaction that is in a block, whether it succeeded or failed. */
export type LandedTransaction = Execution & {
  signature: string
  slot: bigint
  time: bigint
  bytes: Uint8Array
  accounts: Address[]
  /** The accounts whose lamports, owner or data it changed. */
  changed: Address[]
}

/** What a {@link createBlockstore} needs to go on after a restart. */
export type BlockstoreState = {
  blocks: Block[]
  transactions: LandedTransaction[]
  /** Blocks before this slot were cleaned up. */
  cleanedUpTo: bigint
}

/** How many blocks a blockhash is valid for. */
export const blockhashLifetime = 150n
/** How many blocks are remembered. */
const keptBlocks = 5_000

/** A cluster that is left running makes 216,000 blocks a day. Those without transactions are not missed. */
const forgetEmptyBlocks = (blocks: Block[]): void => {
  if (blocks.length < 2 * keptBlocks) return
  const kept = blocks.splice(-keptBlocks)
  const first = blocks.splice(0, 1)
  const eventful = blocks.filter(({ signatures }) => signatures.length > 0).slice(-keptBlocks / 2)
  blocks.splice(0, blocks.length, ...first, ...eventful, ...kept)
}

/**
 * Creates the store of a cluster's blocks and transactions. After a cleanup it does not show the blocks before a
 * slot, but still knows which of their blockhashes are valid, and which transactions must not land again.
 */
export const createBlockstore = (state?: BlockstoreState) => {
  const blocks: Block[] = state?.blocks ?? []
  const landed = new Map(state?.transactions.map((each) => [each.signature, each]))
  let cleanedUpTo = state?.cleanedUpTo ?? 0n
  const isShown = (block: Block): boolean => block.slot >= cleanedUpTo
  const listHiddenSignatures = () => blocks.flatMap((block) => (isShown(block) ? [] : block.signatures))
  let hidden = new Set(listHiddenSignatures())

  const isRecent = (block: Block): boolean =>
    block.height + blockhashLifetime >= (blocks.at(-1)?.height ?? 0n)

  /** Lists the blocks from one slot to another, inclusive. Most callers ask for the newest blocks. */
  const listBlocks = (from: bigint, to: bigint): Block[] => {
    const first = blocks.findLastIndex((block) => block.slot < from) + 1
    return blocks.slice(first).filter((block) => block.slot <= to && isShown(block))
  }

  return {
    addBlock: (block: Block): void => {
      blocks.push(block)
      forgetEmptyBlocks(blocks)
    },
    addTransaction: (transaction: LandedTransaction): void => {
      landed.set(transaction.signature, transaction)
    },
    /** Removes the last block, and returns it with its transactions. */
    removeLast: (): { block: Block; transactions: LandedTransaction[] } | undefined => {
      const block = blocks.pop()
      if (!block) return undefined
      const transactions = block.signatures.flatMap((signature) => landed.get(signature) ?? [])
      for (const { signature } of transactions) landed.delete(signature)
      return { block, transactions }
    },
    firstBlock: (): Block | undefined => blocks[0],
    lastBlock: (): Block | undefined => blocks.at(-1),
    /** Returns the last block up to a slot. */
    lastBlockAt: (slot: bigint): Block | undefined =>
      blocks.findLast((block) => block.slot <= slot) ?? blocks[0],
    findBlock: (slot: bigint): Block | undefined => {
      const found = blocks.findLast((block) => block.slot <= slot)
      return found?.slot === slot && isShown(found) ? found : undefined
    },
    parentOf: (block: Block): Block | undefined => blocks.findLast(({ slot }) => slot < block.slot),
    listBlocks,
    /** Lists the last blocks, newest first. */
    listNewest: (count: number): Block[] => blocks.slice(-count).reverse(),
    firstShown: (): Block | undefined => blocks.find(isShown),
    findTransaction: (signature: string): LandedTransaction | undefined => landed.get(signature),
    /** Lists all transactions in their order. */
    listTransactions: (): LandedTransaction[] => [...landed.values()],
    /** Lists the transactions from one slot to another, inclusive, in their order. */
    transactionsBetween: (from: bigint, to: bigint): LandedTransaction[] =>
      listBlocks(from, to).flatMap(({ signatures }) =>
        signatures.flatMap((signature) => landed.get(signature) ?? []),
      ),
    /** Whether a transaction has landed, so that it must not land again. */
    isProcessed: (signature: string): boolean => landed.has(signature) || hidden.has(signature),
    /** Whether a block of a height may contain a transaction with this blockhash. */
    isBlockhashValid: (blockhash: string, height: bigint): boolean =>
      blocks
        .slice(-2 * Number(blockhashLifetime))
        .some((block) => block.blockhash === blockhash && height <= block.height + blockhashLifetime),
    /** Drops the blocks before a slot, and their transactions. */
    cleanUp: (slot: bigint): void => {
      cleanedUpTo = slot
      const old = blocks.filter((block) => !isShown(block))
      for (const signature of old.flatMap(({ signatures }) => signatures)) landed.delete(signature)
      blocks.splice(0, old.length, ...old.filter(isRecent))
      hidden = new Set(listHiddenSignatures())
    },
    save: (): BlockstoreState => ({
      transactions: [...landed.values()],
      blocks: [...blocks.slice(0, 1), ...blocks.slice(1).slice(-keptBlocks)],
      cleanedUpTo,
    }),
  }
}
