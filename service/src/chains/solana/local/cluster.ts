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
import { Clock, LiteSVM } from 'litesvm'
import { createAccountHistory } from './accountHistory.js'
import {
  type Execution,
  execute,
  isSigned,
  readMessage,
  type Simulation,
  signatureOf,
  simulate,
} from './execute.js'

/** How sure it is that a block stays: `processed` may be replaced, `finalized` never is. */
export type Commitment = 'processed' | 'confirmed' | 'finalized'

/** A block. A skipped slot has none, so heights count blocks and slots count time. `time` is in epoch seconds. */
export type Block = { slot: bigint; height: bigint; blockhash: Blockhash; time: bigint; signatures: string[] }

/** A transaction that is in a block, whether it succeeded or failed. */
export type LandedTransaction = Execution & {
  signature: string
  slot: bigint
  time: bigint
  bytes: Uint8Array
  accounts: Address[]
}

/** How a cluster counts time: `now` in epoch milliseconds, the others in slots. */
export type ClusterOptions = { now(): number; confirmedAfter?: number; finalizedAfter?: number }

/** What a cluster needs to go on after a restart. */
export type ClusterState = {
  slot: bigint
  blocks: Block[]
  transactions: LandedTransaction[]
  machine: Uint8Array
}

/** How many blocks a blockhash is valid for. */
const blockhashLifetime = 150n
/** How many blocks are remembered. */
const keptBlocks = 5_000
const slotsPerEpoch = 432_000n
const firstSlot = 1n
const decoder = getTransactionDecoder()

const newBlockhash = (): Blockhash => getBase58Decoder().decode(randomBytes(32)) as Blockhash

/**
 * Creates a Solana cluster in this process: a virtual machine whose transactions land in blocks, of which the
 * caller asks for one per slot. The cluster itself checks blockhashes and repeated transactions, because it
 * also undoes them.
 */
export const createCluster = (options: ClusterOptions, state?: ClusterState) => {
  const lag: Record<Commitment, bigint> = {
    processed: 0n,
    confirmed: BigInt(options.confirmedAfter ?? 2),
    finalized: BigInt(options.finalizedAfter ?? 32),
  }
  const machine = (state ? LiteSVM.fromBytes(state.machine) : new LiteSVM())
    .withBlockhashCheck(false)
    .withTransactionHistory(0n)
  const history = createAccountHistory(machine)
  const blocks: Block[] = state?.blocks ?? []
  const landed = new Map(state?.transactions.map((each) => [each.signature, each]))
  const queue = new Map<string, { transaction: Transaction; bytes: Uint8Array }>()
  let slot = state?.slot ?? firstSlot
  let losses = 0

  const slotAt = (commitment: Commitment): bigint => {
    const newest = slot - lag[commitment]
    return newest > firstSlot ? newest : firstSlot
  }
  const blockAt = (commitment: Commitment): Block => {
    const block = blocks.findLast((each) => each.slot <= slotAt(commitment)) ?? blocks[0]
    if (!block) throw new Error('the cluster has no block')
    return block
  }
  const isCurrent = (blockhash: string, height: bigint): boolean => {
    const known = blocks.findLast((block) => block.blockhash === blockhash)
    return known !== undefined && height <= known.height + blockhashLifetime
  }

  const include = (signature: string, transaction: Transaction, bytes: Uint8Array, block: Block): void => {
    const { accounts, blockhash } = readMessage(machine, transaction)
    if (!isCurrent(blockhash, block.height) || landed.has(signature)) return
    const done = execute(machine, transaction, accounts)
    if (!done) return
    history.record(block.slot, done.pre, done.post)
    block.signatures.push(signature)
    landed.set(signature, { ...done, signature, slot: block.slot, time: block.time, bytes, accounts })
  }

  /** A cluster that is left running makes 216,000 blocks a day. Those without transactions are not missed. */
  const forgetEmptyBlocks = (): void => {
    if (blocks.length < 2 * keptBlocks) return
    const kept = blocks.splice(-keptBlocks)
    const first = blocks.splice(0, 1)
    const eventful = blocks.filter(({ signatures }) => signatures.length > 0).slice(-keptBlocks / 2)
    blocks.splice(0, blocks.length, ...first, ...eventful, ...kept)
  }

  /** Makes the block of the next slot from the transactions that wait. */
  const produceBlock = (): Block => {
    slot++
    const time = BigInt(Math.floor(options.now() / 1000))
    const epoch = slot / slotsPerEpoch
    machine.setClock(new Clock(slot, time, epoch, epoch + 1n, time))
    // The System program compares a nonce with the machine's own blockhash, which this replaces.
    machine.expireBlockhash()
    const height = (blocks.at(-1)?.height ?? 0n) + 1n
    const block: Block = { slot, height, blockhash: newBlockhash(), time, signatures: [] }
    const waiting = [...queue]
    queue.clear()
    for (const [signature, { transaction, bytes }] of waiting) include(signature, transaction, bytes, block)
    blocks.push(block)
    history.forget(slotAt('finalized'))
    forgetEmptyBlocks()
    return block
  }

  const openedIn = slot
  if (!blocks.length) produceBlock()

  const undoLast = (isKept: boolean): void => {
    const block = blocks.at(-1)
    if (!block || block.slot <= slotAt('finalized') || block.slot <= openedIn) {
      throw new RangeError('a block that is final, or older than this process, is never replaced')
    }
    blocks.pop()
    history.undo(block.slot)
    for (const signature of block.signatures) {
      const { bytes } = landed.get(signature) ?? {}
      landed.delete(signature)
      if (bytes && isKept) queue.set(signature, { transaction: decoder.decode(bytes), bytes })
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
    readAccount: (address: Address, commitment: Commitment): MaybeEncodedAccount =>
      history.read(address, slotAt(commitment)),
    listAccounts: (program: Address, commitment: Commitment): EncodedAccount[] => {
      const known = machine.getProgramAccounts(program).map(({ address }) => address)
      return [...new Set([...known, ...history.listChanged()])]
        .map((address) => history.read(address, slotAt(commitment)))
        .flatMap((account) => (account.exists && account.programAddress === program ? [account] : []))
    },
    isBlockhashValid: (blockhash: string, commitment: Commitment): boolean =>
      isCurrent(blockhash, blockAt(commitment).height),
    lastValidHeightOf: ({ height }: Block): bigint => height + blockhashLifetime,
    /** Returns the slot of the first block. Every transaction since is remembered. */
    firstAvailableSlot: (): bigint => blocks[0]?.slot ?? firstSlot,
    findBlock: (wanted: bigint): Block | undefined => blocks.findLast((block) => block.slot === wanted),
    /** Lists the blocks from one slot to another, inclusive. */
    listBlocks: (from: bigint, to: bigint): Block[] =>
      blocks.filter((block) => block.slot >= from && block.slot <= to),
    findTransaction: (signature: string, commitment: Commitment): LandedTransaction | undefined => {
      const found = landed.get(signature)
      return found && found.slot <= slotAt(commitment) ? found : undefined
    },
    commitmentOf: ({ slot: landedIn }: LandedTransaction): Commitment => {
      if (landedIn <= slotAt('finalized')) return 'finalized'
      return landedIn <= slotAt('confirmed') ? 'confirmed' : 'processed'
    },
    /** Lists the transactions that name an account, newest first. */
    listTransactions: (address: string, commitment: Commitment): LandedTransaction[] =>
      [...landed.values()]
        .filter((each) => each.slot <= slotAt(commitment) && each.accounts.some((one) => one === address))
        .reverse(),
    /** Lists the transactions that have reached a commitment since a slot had, in their order. */
    listSince: (since: bigint, commitment: Commitment): LandedTransaction[] =>
      [...landed.values()].filter((each) => each.slot > since && each.slot <= slotAt(commitment)),
    /** Simulates a transaction. `checks` says whether its signatures, and its blockhash, must be good. */
    simulate: (bytes: Uint8Array, checks: { signatures: boolean; blockhash: boolean }): Simulation => {
      const transaction = decoder.decode(bytes)
      const refuse = (error: string): Simulation => ({ error, logs: [], computeUnits: 0n, accounts: [] })
      if (checks.signatures && !isSigned(transaction)) return refuse('SignatureFailure')
      if (checks.signatures && landed.has(signatureOf(transaction))) return refuse('AlreadyProcessed')
      const { blockhash } = readMessage(machine, transaction)
      if (checks.blockhash && !isCurrent(blockhash, blockAt('processed').height)) {
        return refuse('BlockhashNotFound')
      }
      return simulate(machine, transaction, checks.signatures)
    },
    /** Takes a transaction for the next block, and returns its signature. Nothing says that it will land. */
    submit: (bytes: Uint8Array): string => {
      const transaction = decoder.decode(bytes)
      const signature = signatureOf(transaction)
      if (losses > 0) losses--
      else if (isSigned(transaction) && !landed.has(signature)) queue.set(signature, { transaction, bytes })
      return signature
    },
    rentFor: (size: bigint): bigint => machine.minimumBalanceForRentExemption(size),
    /** Sets an account, as only the first block of a cluster can. */
    setAccount: (account: EncodedAccount): void => machine.setAccount(account),
    /** Returns the state from which {@link createCluster} goes on. */
    save: (): ClusterState => ({
      ...{ slot, transactions: [...landed.values()] },
      blocks: [...blocks.slice(0, 1), ...blocks.slice(1).slice(-keptBlocks)],
      machine: machine.toBytes(),
    }),
  }
}

/** A Solana cluster in this process. */
export type Cluster = ReturnType<typeof createCluster>
