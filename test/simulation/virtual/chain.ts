import { type Block, BlockStore, blockMs, confirmations } from './blockStore.js'
import { Contracts, type ServiceCall } from './contracts.js'
import type { Dice } from './dice.js'
import type { Timeline } from './timeline.js'
import { type Included, orderOf, orderOfCall, type PendingTransaction } from './transaction.js'

const usualFee = 1
const spikeFee = 4

/** One chain of a simulated world: its blocks, its waiting transactions and its contracts. */
export class Chain extends BlockStore {
  readonly contracts: Contracts
  readonly waiting = new Map<string, PendingTransaction>()
  /** The hashes of buyers' transactions that have once been final, also if they are no longer on the chain. */
  readonly onceFinal = new Set<string>()
  /** The calls in the service's signed transactions, by the keys of those. */
  readonly signedCalls = new Map<string, ServiceCall>()
  nextNonce = 0
  fee = usualFee
  private readonly usedNonces = new Set<string>()
  private hashes = 0
  private spikeEnd = 0
  private isMining = false
  private restBlocks = 0
  private readonly onceIncluded = new Set<string>()
  /** Payments that a reorganisation has taken back, and that blocks may include again. */
  private readonly comingBack = new Set<string>()
  private wakeWaiting: (() => void)[] = []

  private readonly timeline: Timeline
  private readonly dice: Dice
  private readonly note: (text: () => string) => void
  private readonly onBlock: () => void

  constructor(timeline: Timeline, dice: Dice, note: (text: () => string) => void, onBlock: () => void) {
    super(timeline.nowMs)
    this.timeline = timeline
    this.dice = dice
    this.note = note
    this.onBlock = onBlock
    this.contracts = new Contracts(dice)
  }

  /** Sends a transaction to the nodes, again or for the first time. */
  submit(transaction: PendingTransaction): void {
    if (this.included.has(transaction.txId)) return
    if (this.usedNonces.has(`${transaction.account} ${transaction.nonce}`)) return
    this.waiting.set(transaction.txId, transaction)
    this.keepMining()
  }

  nextBlock(): Promise<void> {
    this.keepMining()
    return new Promise((resolve) => this.wakeWaiting.push(resolve))
  }

  /** Makes blocks for as long as something waits for one, and some more, so that all of it becomes final. */
  private keepMining(): void {
    this.restBlocks = confirmations + 2
    if (this.isMining) return
    this.isMining = true
    this.timeline.after(blockMs, () => this.mine())
  }

  private mine(): void {
    if (this.dice.fault('fees spike', 0.01)) this.spikeEnd = this.headNumber + 6
    this.fee = this.headNumber < this.spikeEnd ? spikeFee : usualFee
    if (this.dice.fault('blocks are replaced', 0.02)) this.reorganise(this.dice.between('depth', 1, 2))
    if (this.dice.fault('final blocks are replaced', 0.001)) {
      this.reorganise(this.dice.between('deep depth', confirmations, 7))
    }
    this.addBlock()
    this.restBlocks -= 1
    if (this.waiting.size || this.wakeWaiting.length) this.restBlocks = confirmations + 2
    this.isMining = this.restBlocks > 0
    if (this.isMining) this.timeline.after(blockMs, () => this.mine())
    const wakened = this.wakeWaiting
    this.wakeWaiting = []
    for (const wake of wakened) wake()
    this.onBlock()
  }

  private addBlock(): void {
    const number = this.headNumber + 1
    const block: Block = {
      number: BigInt(number),
      hash: `block-${this.hashes++}`,
      // Chains count whole seconds.
      timestampMs: this.timeline.nowMs - (this.timeline.nowMs % 1_000),
      included: [],
      logs: [],
      undo: [],
    }
    this.blocks.push(block)
    const candidates = [...this.waiting.values()]
    const payments = candidates.filter(({ type }) => type === 'payment')
    if (this.dice.fault('transactions are reordered', 0.1)) payments.reverse()
    for (const payment of payments) this.include(block, payment)
    // The nonces of an account keep their order.
    const calls = candidates
      .filter(({ type }) => type === 'service')
      .sort((one, other) => one.nonce - other.nonce)
    for (const call of calls) {
      if (this.isTooSoon(call)) break
      this.include(block, call)
      if (this.waiting.has(call.txId)) break
    }
    const final = this.blocks[this.blocks.length - confirmations]
    for (const { transaction } of final?.included ?? []) this.onceFinal.add(transaction.txId)
  }

  /** Whether a payout would come before the payment that it is made of, and that a reorganisation has taken back. */
  private isTooSoon(transaction: PendingTransaction): boolean {
    if (transaction.type !== 'service') return false
    const orderId = orderOfCall(transaction.call)
    return [...this.waiting.values()].some(
      (other) =>
        other.type === 'payment' &&
        this.comingBack.has(other.txId) &&
        other.transfers.some(({ target }) => orderOf(target) === orderId),
    )
  }

  private include(block: Block, transaction: PendingTransaction): void {
    const { txId, account, nonce, fee } = transaction
    const place = `${account} ${nonce}`
    if (this.usedNonces.has(place)) {
      this.waiting.delete(txId)
      return
    }
    if (fee < this.fee || this.dice.fault('a transaction waits', 0.05)) return
    if (this.dice.fault('a transaction is dropped', 0.01)) {
      this.waiting.delete(txId)
      this.note(() => `the nodes drop ${txId}`)
      return
    }
    this.waiting.delete(txId)
    this.usedNonces.add(place)
    const failure = this.execute(block, transaction)
    const included: Included = { transaction, blockNumber: Number(block.number), failure }
    this.included.set(txId, included)
    block.included.push(included)
    this.note(() => `block ${block.number} includes ${txId}${failure ? `, reverted: ${failure}` : ''}`)
  }

  private execute(block: Block, transaction: PendingTransaction): string | undefined {
    if (transaction.type === 'service') {
      const { call, txId } = transaction
      // Nothing sends again what reverts after a reorganisation: see the README.
      const isAgain = this.onceIncluded.has(txId)
      this.onceIncluded.add(txId)
      return this.contracts.execute(call, { txId, isAgain }, block.undo)
    }
    const { transfers, deadlineMs, txId, account } = transaction
    // The router refuses a payment after the end of its quote.
    if (deadlineMs !== undefined && block.timestampMs > deadlineMs) return 'the quote has ended'
    for (const { target, currency, units } of transfers) {
      const { number, hash, timestampMs } = block
      const place = { txId, logIndex: block.logs.length, block: { number, hash, timestampMs } }
      block.logs.push({ ...place, payer: account, currency, units, target })
      this.contracts.receive(target, currency, units, block.undo)
    }
    return undefined
  }

  private reorganise(asked: number): void {
    const depth = Math.min(asked, this.blocks.length)
    this.note(() => `the last ${depth} blocks are replaced`)
    const lostOrders = new Set<string>()
    const returned: PendingTransaction[] = []
    for (let at = 0; at < depth; at++) {
      const block = this.blocks.pop()
      if (!block) continue
      for (const undo of block.undo.reverse()) undo()
      for (const { transaction } of block.included.reverse()) {
        this.included.delete(transaction.txId)
        this.usedNonces.delete(`${transaction.account} ${transaction.nonce}`)
        if (transaction.type === 'payment' && this.dice.fault('a payment does not come back', 0.15)) {
          this.usedNonces.add(`${transaction.account} ${transaction.nonce}`)
          for (const { target } of transaction.transfers) lostOrders.add(orderOf(target))
        } else returned.push(transaction)
      }
    }
    // The nodes still know them in their old order.
    for (const transaction of returned.reverse()) {
      if (transaction.type === 'payment') this.comingBack.add(transaction.txId)
      // What depended on such a payment has to be sent again by the service, which must then know of the loss.
      const isOrphaned = transaction.type === 'service' && lostOrders.has(orderOfCall(transaction.call))
      if (!isOrphaned) this.waiting.set(transaction.txId, transaction)
    }
    for (let at = 0; at < depth; at++) this.addBlock()
  }
}
