import { targetOf } from './chainPort.js'
import type { PendingTransaction, Transfer } from './transaction.js'
import type { World } from './world.js'

/** A payment that the service asks a wallet to sign. */
export type AskedPayment = {
  orderId: string
  target: string
  currency: string
  units: bigint
  deadlineMs?: number
}

const usualFee = 2
const urgentFee = 9

/** A buyer's wallet. It signs what the buyer wants, which is not always what the service asks for. */
export class Wallet {
  private nonce = 0
  private sent = 0

  readonly address: string
  private readonly world: World

  constructor(address: string, world: World) {
    this.address = address
    this.world = world
  }

  private nextTxId(): string {
    this.sent += 1
    return `${this.address}-${this.sent}`
  }

  /** Returns the transfers that the buyer really makes. */
  private chooseTransfers({ orderId, target, currency, units }: AskedPayment): Transfer[] {
    const { dice } = this.world
    const paid = { target, currency, units }
    if (dice.fault('the buyer pays too little', 0.05)) return [{ ...paid, units: units - 1n }]
    if (dice.fault('the buyer pays too much', 0.05)) return [{ ...paid, units: units + units / 3n + 1n }]
    if (dice.fault('the buyer pays dust', 0.02)) return [{ ...paid, units: 3n }]
    if (dice.fault('the buyer pays another currency', 0.03)) {
      const other = currency === 'eth' ? 'usdc' : 'eth'
      return [{ target: targetOf(orderId, other), currency: other, units }]
    }
    if (dice.fault('one transaction pays twice', 0.03)) return [paid, paid]
    if (dice.fault('one transaction pays in parts', 0.02)) {
      return [
        { ...paid, units: units / 2n },
        { ...paid, units: units - units / 2n },
      ]
    }
    return [paid]
  }

  private sign(asked: AskedPayment): PendingTransaction {
    const { orderId: _, deadlineMs } = asked
    const transfers = this.chooseTransfers(asked)
    const base = { txId: this.nextTxId(), account: this.address, nonce: this.nonce++, fee: usualFee }
    return { ...base, type: 'payment', transfers, ...(deadlineMs !== undefined && { deadlineMs }) }
  }

  private send(transaction: PendingTransaction): void {
    this.world.note(() => {
      const transfers = transaction.type === 'payment' ? transaction.transfers : []
      const written = transfers
        .map(({ target, currency, units }) => `${units} ${currency} to ${target}`)
        .join(', ')
      return `${this.address} sends ${transaction.txId}: ${written || 'nothing'}`
    })
    this.world.chain.submit(transaction)
    this.watch(transaction)
  }

  /** Replaces a transaction that no block includes, and sends again one that the nodes have dropped. */
  private watch(transaction: PendingTransaction): void {
    const { chain, timeline, dice } = this.world
    timeline.after(dice.between('wallet waits ms', 15_000, 60_000), () => {
      if (chain.findIncluded(transaction.txId)) return
      const isDropped = !chain.waiting.has(transaction.txId)
      if (isDropped && dice.fault('the wallet forgets a transaction', 0.5)) return
      if (dice.fault('the buyer cancels', 0.05) && transaction.type === 'payment') {
        const cancelled = { ...transaction, txId: this.nextTxId(), fee: urgentFee, transfers: [] }
        this.replace(cancelled)
      } else this.replace({ ...transaction, txId: this.nextTxId(), fee: urgentFee })
    })
  }

  /** Both transactions have one nonce, so the nodes may include the first one after all. */
  private replace(transaction: PendingTransaction): void {
    this.world.note(
      () => `${this.address} replaces its transaction ${transaction.nonce} by ${transaction.txId}`,
    )
    this.world.chain.submit(transaction)
  }

  /** Signs and sends a payment, and returns its hash. */
  pay(asked: AskedPayment): string {
    const transaction = this.sign(asked)
    this.send(transaction)
    return transaction.txId
  }
}
