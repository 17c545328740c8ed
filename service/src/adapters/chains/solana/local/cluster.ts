import { randomBytes } from 'node:crypto'
import {
  type Address,
  type Blockhash,
  type EncodedAccount,
  getBase58Decoder,
  getTransactionDecoder,
  type MaybeEncodedAccount,
  type Transaction,
} from '@solana/kit'
import { Clock, LiteSVM, type SlotHash } from 'litesvm'
import { createAccountHistory, restoreAccount } from './accountHistory.js'
import {
  type Block,
  type BlockstoreState,
  blockhashLifetime,
  createBlockstore,
  type LandedTransaction,
} from './blockstore.js'
import { findNonceAccount } from './durableNonce.js'
import {
  execute,
  isSigned,
  type Message,
  readMessage,
  type Simulation,
  signatureOf,
  simulate,
} from './execute.js'

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

/** How many slots an epoch has. */
export const slotsPerEpoch = 432_000n
/** How many blocks the sysvar of slot hashes lists. */
const slotHashes = 512
const firstSlot = 1n
const decoder = getTransactionDecoder()

const newBlockhash = (): Blockhash => getBase58Decoder().decode(randomBytes(32)) as Blockhash

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
  const lag: Record<Commitment, bigint> = {
    processed: 0n,
    confirmed: BigInt(options.confirmedAfter ?? 2),
    finalized: BigInt(options.finalizedAfter ?? 32),
  }
  const machine = (state ? LiteSVM.fromBytes(state.machine) : new LiteSVM())
    .withBlockhashCheck(false)
    .withTransactionHistory(0n)
  const history = createAccountHistory(machine)
  const store = createBlockstore(state)
  const queue = new Map<string, { transaction: Transaction; bytes: Uint8Array }>()
  let slot = state?.slot ?? firstSlot
  let losses = 0
  /** The slot whose state was saved last, or `undefined` if blocks that were saved are gone. */
  let savedSlot: bigint | undefined

  const slotAt = (commitment: Commitment): bigint => {
    const newest = slot - lag[commitment]
    // The first block is final at once.
    const first = store.firstBlock()?.slot ?? firstSlot
    return newest > first ? newest : first
  }
  const blockAt = (commitment: Commitment): Block => {
    const block = store.lastBlockAt(slotAt(commitment))
    if (!block) throw new Error('the cluster has no block')
    return block
  }
  /** Whether a transaction may land now: its blockhash is recent, or its nonce is the one stored. */
  const isCurrent = (transaction: Message): boolean => {
    const { lifetime } = readMessage(machine, transaction)
    const { height } = blockAt('processed')
    return store.isBlockhashValid(lifetime, height) || findNonceAccount(machine, transaction) !== undefined
  }

  const include = (signature: string, transaction: Transaction, bytes: Uint8Array, block: Block): void => {
    const message = readMessage(machine, transaction)
    const isFresh = store.isBlockhashValid(message.lifetime, block.height)
    const nonceAccount = isFresh ? undefined : findNonceAccount(machine, transaction)
    if ((!isFresh && nonceAccount === undefined) || store.isProcessed(signature)) return
    const executed = execute(machine, transaction, { ...message, nonceAccount })
    if (!executed) return
    const { pre, post, ...done } = executed
    const changed = history.record(block.slot, pre, post)
    block.signatures.push(signature)
    const { accounts } = message
    store.addTransaction({ ...done, signature, slot: block.slot, time: block.time, bytes, accounts, changed })
  }

  /** Makes the block of the next slot from the transactions that wait. */
  const produceBlock = (): Block => {
    slot++
    const time = BigInt(Math.floor(options.now() / 1000))
    const epoch = slot / slotsPerEpoch
    machine.setClock(new Clock(slot, time, epoch, epoch + 1n, time))
    // The nonces of a block depend on the machine's own blockhash, which this replaces.
    machine.expireBlockhash()
    const recent = store.listNewest(slotHashes)
    // A lookup table is derived from a slot that this sysvar lists.
    machine.setSlotHashes(recent.map((block) => ({ slot: block.slot, hash: block.blockhash }) as SlotHash))
    const { height = 0n, transactionCount = 0n } = recent[0] ?? {}
    const block: Block = {
      slot,
      height: height + 1n,
      time,
      transactionCount,
      blockhash: newBlockhash(),
      signatures: [],
    }
    const waiting = [...queue]
    queue.clear()
    for (const [signature, { transaction, bytes }] of waiting) include(signature, transaction, bytes, block)
    block.transactionCount += BigInt(block.signatures.length)
    store.addBlock(block)
    history.forget(slotAt('finalized'))
    return block
  }

  const replay = (change: ClusterChange): void => {
    for (const account of change.accounts) restoreAccount(machine, account)
    for (const transaction of change.transactions) store.addTransaction(transaction)
    const { height = 0n } = store.lastBlock() ?? {}
    for (const block of change.blocks) store.addBlock(block)
    // Nonces depend on how often the machine's blockhash was replaced.
    for (let at = height; at < (store.lastBlock()?.height ?? 0n); at++) machine.expireBlockhash()
    slot = change.slot
  }
  for (const change of changes) replay(change)
  const openedIn = slot
  if (!store.lastBlock()) produceBlock()

  const undoLast = (isKept: boolean): void => {
    const last = store.lastBlock()
    if (!last || last.slot <= slotAt('finalized') || last.slot <= openedIn) {
      throw new RangeError('a block that is final, or older than this process, is never replaced')
    }
    const removed = store.removeLast()
    savedSlot = undefined
    history.undo(last.slot)
    for (const { signature, bytes } of removed?.transactions ?? []) {
      if (isKept) queue.set(signature, { transaction: decoder.decode(bytes), bytes })
    }
  }

  return {
    slotAt,
    blockAt,
    produceBlock,
    /** Lets a slot pass without a block, as when its leader is away. */
    skipSlot: (): void => {
      slot++
    },
    /**
     * Replaces the last blocks by later ones that are empty. Their transactions did not happen. If they are
     * kept, they wait for the next block.
     */
    fork: (depth: number, isKept = false): void => {
      for (let left = depth; left > 0; left--) undoLast(isKept)
    },
    /** Loses the next transactions that are sent, as a busy leader does. Their senders are not told. */
    loseTransactions: (count: number): void => {
      losses = count
    },
    /** Drops every block and transaction before the finalized slot, as a node does that keeps a short history. */
    cleanUpHistory: (): void => {
      store.cleanUp(blockAt('finalized').slot)
      savedSlot = undefined
    },
    readAccount: (address: Address, commitment: Commitment): MaybeEncodedAccount =>
      history.read(address, slotAt(commitment)),
    listAccounts: (program: Address, commitment: Commitment): EncodedAccount[] => {
      const known = machine.getProgramAccounts(program).map(({ address }) => address)
      return [...new Set([...known, ...history.listChanged()])]
        .map((address) => history.read(address, slotAt(commitment)))
        .flatMap((account) => (account.exists && account.programAddress === program ? [account] : []))
    },
    isBlockhashValid: (blockhash: string, commitment: Commitment): boolean =>
      store.isBlockhashValid(blockhash, blockAt(commitment).height),
    isCurrent,
    lastValidHeightOf: ({ height }: Block): bigint => height + blockhashLifetime,
    /** Returns the slot of the first block. Every transaction since is remembered. */
    firstAvailableSlot: (): bigint => store.firstShown()?.slot ?? firstSlot,
    findBlock: store.findBlock,
    parentOf: store.parentOf,
    /** Lists the blocks from one slot to another, inclusive. */
    listBlocks: store.listBlocks,
    findTransaction: (signature: string, commitment: Commitment): LandedTransaction | undefined => {
      const found = store.findTransaction(signature)
      return found && found.slot <= slotAt(commitment) ? found : undefined
    },
    commitmentOf: ({ slot: landedIn }: LandedTransaction): Commitment => {
      if (landedIn <= slotAt('finalized')) return 'finalized'
      return landedIn <= slotAt('confirmed') ? 'confirmed' : 'processed'
    },
    /** Lists the transactions that name an account, newest first. */
    listTransactions: (address: string, commitment: Commitment): LandedTransaction[] =>
      store
        .listTransactions()
        .filter((each) => each.slot <= slotAt(commitment) && each.accounts.some((one) => one === address))
        .reverse(),
    /** Lists the transactions that have reached a commitment since a slot had, in their order. */
    listSince: (since: bigint, commitment: Commitment): LandedTransaction[] =>
      store.transactionsBetween(since + 1n, slotAt(commitment)),
    /** Simulates a transaction. `checks` says whether its signatures, and its blockhash, must be good. */
    simulate: (bytes: Uint8Array, checks: { signatures: boolean; blockhash: boolean }): Simulation => {
      const transaction = decoder.decode(bytes)
      const refuse = (error: string): Simulation => ({ error, logs: [], computeUnits: 0n, accounts: [] })
      if (checks.signatures && !isSigned(transaction)) return refuse('SignatureFailure')
      if (checks.signatures && store.isProcessed(signatureOf(transaction))) return refuse('AlreadyProcessed')
      if (checks.blockhash && !isCurrent(transaction)) return refuse('BlockhashNotFound')
      return simulate(machine, transaction, checks.signatures)
    },
    /** Takes a transaction for the next block, and returns its signature. Nothing says that it will land. */
    submit: (bytes: Uint8Array): string => {
      const transaction = decoder.decode(bytes)
      const signature = signatureOf(transaction)
      if (losses > 0) losses--
      else if (isSigned(transaction) && !store.isProcessed(signature))
        queue.set(signature, { transaction, bytes })
      return signature
    },
    rentFor: (size: bigint): bigint => machine.minimumBalanceForRentExemption(size),
    /** Sets an account, as only the first block of a cluster can. */
    setAccount: (account: EncodedAccount): void => machine.setAccount(account),
    /** Returns the state from which {@link createCluster} goes on. */
    save: (): ClusterState => {
      savedSlot = slot
      return { slot, ...store.save(), machine: machine.toBytes() }
    },
    /** Returns what happened since the last save, or `undefined` if only the whole state says it. */
    saveChange: (): ClusterChange | undefined => {
      if (savedSlot === undefined) return undefined
      const blocks = store.listBlocks(savedSlot + 1n, slot)
      const transactions = store.transactionsBetween(savedSlot + 1n, slot)
      const changed = new Set(transactions.flatMap((each) => each.changed))
      const accounts = [...changed].map((address) => machine.getAccount(address))
      // A program that is deployed or upgraded is more than its accounts: the machine has compiled it.
      if (accounts.some((each) => each.exists && each.programAddress.startsWith('BPFLoader')))
        return undefined
      savedSlot = slot
      return { slot, blocks, transactions, accounts }
    },
  }
}

/** A Solana cluster in this process. */
export type Cluster = ReturnType<typeof createCluster>
