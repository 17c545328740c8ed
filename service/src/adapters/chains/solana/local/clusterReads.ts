import type { Address, EncodedAccount, MaybeEncodedAccount } from '@solana/kit'
import { type Block, blockhashLifetime, type LandedTransaction } from './blockstore.js'
import { blockAt, type ClusterParts, type Commitment, firstSlot, slotAt } from './clusterParts.js'

/** Creates the functions that read the accounts, blocks and transactions of a cluster. */
export const createClusterReads = (parts: ClusterParts) => {
  const { machine, history, store } = parts
  return {
    slotAt: (commitment: Commitment): bigint => slotAt(parts, commitment),
    blockAt: (commitment: Commitment): Block => blockAt(parts, commitment),
    readAccount: (address: Address, commitment: Commitment): MaybeEncodedAccount =>
      history.read(address, slotAt(parts, commitment)),
    listAccounts: (program: Address, commitment: Commitment): EncodedAccount[] => {
      const known = machine.getProgramAccounts(program).map(({ address }) => address)
      return [...new Set([...known, ...history.listChanged()])]
        .map((address) => history.read(address, slotAt(parts, commitment)))
        .flatMap((account) => (account.exists && account.programAddress === program ? [account] : []))
    },
    rentFor: (size: bigint): bigint => machine.minimumBalanceForRentExemption(size),
    isBlockhashValid: (blockhash: string, commitment: Commitment): boolean =>
      store.isBlockhashValid(blockhash, blockAt(parts, commitment).height),
    lastValidHeightOf: ({ height }: Block): bigint => height + blockhashLifetime,
    /** Returns the slot of the first block. Every transaction since is remembered. */
    firstAvailableSlot: (): bigint => store.firstShown()?.slot ?? firstSlot,
    findBlock: store.findBlock,
    parentOf: store.parentOf,
    /** Lists the blocks from one slot to another, inclusive. */
    listBlocks: store.listBlocks,
    findTransaction: (signature: string, commitment: Commitment): LandedTransaction | undefined => {
      const found = store.findTransaction(signature)
      return found && found.slot <= slotAt(parts, commitment) ? found : undefined
    },
    commitmentOf: ({ slot: landedIn }: LandedTransaction): Commitment => {
      if (landedIn <= slotAt(parts, 'finalized')) return 'finalized'
      return landedIn <= slotAt(parts, 'confirmed') ? 'confirmed' : 'processed'
    },
    /** Lists the transactions that name an account, newest first. */
    listTransactions: (address: string, commitment: Commitment): LandedTransaction[] =>
      store
        .listTransactions()
        .filter(
          (each) => each.slot <= slotAt(parts, commitment) && each.accounts.some((one) => one === address),
        )
        .reverse(),
    /** Lists the transactions that have reached a commitment since a slot had, in their order. */
    listSince: (since: bigint, commitment: Commitment): LandedTransaction[] =>
      store.transactionsBetween(since + 1n, slotAt(parts, commitment)),
  }
}
