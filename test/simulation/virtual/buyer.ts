import { createOrder } from '../../../service/src/sale/orders/createOrder.js'
import { getOrder } from '../../../service/src/sale/orders/readOrders.js'
import { reportPayment } from '../../../service/src/sale/orders/reportPayment.js'
import { editOrder, refreshOrder } from '../../../service/src/sale/orders/requoteOrder.js'
import type { CreateOrderAnswer, Order, ParsedCreateOrderBody } from '../../../src/schema/index.js'
import { blockMs } from './blockStore.js'
import { callService, type Request } from './network.js'
import { chainName } from './outbox.js'
import { type AskedPayment, Wallet } from './wallet.js'
import type { World } from './world.js'

const maxRounds = 14
/** An order that is paid, or being changed, can no longer be changed. */
const unlessPaid = ['conflict'] as const
const hourMs = 60 * 60_000

/** A buyer of a simulated world, who buys once, in one tab or two. */
export class Buyer {
  private readonly wallet: Wallet
  private readonly name: string
  private readonly address: string
  /** Payments that this buyer has sent. A second tab does not always know of them. */
  private payments = 0
  private tasks = 0

  private readonly world: World

  constructor(number: number, world: World) {
    this.world = world
    this.name = `buyer ${number}`
    this.address = `0x${'abcdef'[number % 6]}${number}`
    this.wallet = new Wallet(this.address, world)
    if (world.dice.fault('an account rejects coins', 0.08)) world.chain.contracts.rejecting.add(this.address)
  }

  private async call<Answer>(request: Request<Answer>): Promise<Answer | undefined> {
    try {
      return await callService(this.world, request)
    } catch (error) {
      this.world.note(() => `${this.name} gets no answer: ${error}`)
      return undefined
    }
  }

  private sleep(name: string, leastMs: number, mostMs: number): Promise<void> {
    return this.world.timeline.sleep(this.world.dice.between(name, leastMs, mostMs))
  }

  private choosePayment() {
    const currency = this.world.dice.pick('currency', ['eth', 'eth', 'usdc'])
    return { method: chainName, currency, payerAddress: this.address } as ParsedCreateOrderBody['payment']
  }

  private async create(): Promise<CreateOrderAnswer | undefined> {
    const { dice } = this.world
    const collections = dice.pick('goods', [
      ['scarce'],
      ['scarce'],
      ['plenty'],
      ['scarce', 'plenty'],
      ['scarce'],
      ['plenty'],
      ['gift'],
      ['gift', 'plenty'],
    ])
    const lineItems = collections.map((id) => ({
      collectionLocator: `kassa:${id}`,
      callData: { quantity: dice.pick('quantity', [1, 1, 1, 2, 3]) },
    }))
    const recipient = { walletAddress: this.address }
    const capture = dice.fault('the merchant wants to capture', 0.15) ? 'manual' : 'automatic'
    const payment = { ...this.choosePayment(), capture }
    const body = { recipient, payment, lineItems } as unknown as ParsedCreateOrderBody
    for (let attempt = 0; attempt < 4; attempt++) {
      const created = await this.call({
        verb: 'createOrder',
        send: (deps, call) => createOrder(deps, call, body),
      })
      if (created) return created
      await this.sleep('before another try', 1_000, 5_000)
    }
    return undefined
  }

  /** Whether the buyer may still do something. */
  get isActive(): boolean {
    return this.tasks > 0
  }

  /** Comes to the shop and buys. */
  start(): void {
    this.begin(this.buy())
  }

  private begin(task: Promise<void>): void {
    this.tasks += 1
    void task.finally(() => {
      this.tasks -= 1
    })
  }

  private async buy(): Promise<void> {
    const { dice } = this.world
    await this.sleep('arrival', 0, 90_000)
    const created = await this.create()
    if (!created) return
    const { orderId } = created.order
    this.world.note(() => `${this.name} creates ${orderId}`)
    this.begin(this.useTab(orderId, 1))
    if (dice.fault('two tabs', 0.15)) this.begin(this.useTab(orderId, 2))
    if (dice.fault('the buyer pays hours later', 0.02)) this.begin(this.payLate(created.order))
  }

  /** Looks at the order, pays it, and pays again where the payment came to nothing. */
  private async useTab(orderId: string, tab: number): Promise<void> {
    const { dice } = this.world
    for (let round = 0; round < maxRounds; round++) {
      await this.sleep(`tab ${tab} looks`, 2_000, 40_000)
      if (dice.fault('the buyer goes away', 0.04)) return
      const order = await this.call({
        verb: 'getOrder',
        send: (deps, call) => getOrder(deps, call, { orderId }),
      })
      if (!order) continue
      if (order.phase === 'completed' || order.phase === 'delivery') return
      await this.continueWith(order, tab)
    }
  }

  private async refresh(orderId: string): Promise<void> {
    const send: Request<Order>['send'] = (deps, call) => refreshOrder(deps, call, { orderId })
    await this.call({ verb: 'refreshOrder', send, refusals: unlessPaid })
  }

  private async continueWith(order: Order, tab: number): Promise<void> {
    const { dice } = this.world
    const { orderId } = order
    if (order.phase === 'quote') {
      if (order.quote.status === 'all-line-items-unavailable') return
      await this.refresh(orderId)
      return
    }
    if (dice.fault('the buyer reloads', 0.1)) await this.refresh(orderId)
    if (dice.fault('the buyer changes the currency', 0.05)) {
      const body = { payment: this.choosePayment() }
      const send: Request<Order>['send'] = (deps, call) => editOrder(deps, call, { orderId, body })
      await this.call({ verb: 'editOrder', send, refusals: unlessPaid })
    }
    if (order.payment.status !== 'awaiting-payment') return
    if (order.payment.preparation === undefined) {
      const send: Request<Order>['send'] = (deps, call) => editOrder(deps, call, { orderId, body: {} })
      await this.call({ verb: 'editOrder', send, refusals: unlessPaid })
      return
    }
    const knowsOfPayment = this.payments > 0 && !(tab > 1 && dice.fault('the second tab does not know', 0.5))
    // A new price no longer says why the payment before it went back.
    const { failureReason, transactions = [] } = order.payment
    const wentBack = transactions.length > 0 && transactions.every(({ use }) => use === 'returned')
    const isBack = (failureReason !== undefined || wentBack) && dice.fault('the buyer pays again', 0.7)
    if (knowsOfPayment && !isBack && !dice.fault('the buyer is impatient', 0.06)) return
    await this.payOrder(order)
  }

  private readAsked({ orderId, payment }: Order): AskedPayment | undefined {
    const serialized = payment.preparation?.serializedTransaction
    if (serialized === undefined) return undefined
    const asked = JSON.parse(serialized) as Omit<AskedPayment, 'units' | 'orderId'> & { units: string }
    return { ...asked, orderId, units: BigInt(asked.units) }
  }

  private async payOrder(order: Order): Promise<void> {
    const { dice } = this.world
    const asked = this.readAsked(order)
    if (!asked || dice.fault('the wallet rejects', 0.1)) return
    const isLate = dice.fault('the wallet signs late', 0.1)
    await this.sleep('signature', 1_000, isLate ? 200_000 : 8_000)
    if (dice.fault('the wallet signs at the last moment', 0.03)) await this.awaitLastMoment(order)
    this.payments += 1
    const txId = this.wallet.pay(asked)
    if (dice.fault('the wallet sends twice', 0.03)) this.wallet.pay(asked)
    if (dice.fault('the payment is not reported', 0.15)) return
    const body = { type: 'crypto-tx-id' as const, txId }
    const { orderId } = order
    const send: Request<Order>['send'] = (deps, call) => reportPayment(deps, call, { orderId, body })
    await this.call({ verb: 'reportPayment', send })
  }

  /** Waits until the next block may be the last one in which a payment is in time. */
  private async awaitLastMoment({ quote }: Order): Promise<void> {
    if (quote.expiresAt === undefined) return
    const leftMs = Date.parse(quote.expiresAt) - this.world.timeline.nowMs
    const earlyMs = this.world.dice.between('last moment ms', 0, 2 * blockMs)
    await this.world.timeline.sleep(Math.max(0, leftMs - earlyMs))
  }

  /** Pays an old price long after it has ended, as someone does who finds the page open in the evening. */
  private async payLate(order: Order): Promise<void> {
    await this.sleep('hours', hourMs, 5 * hourMs)
    const asked = this.readAsked(order)
    if (asked?.currency === 'usdc') this.wallet.pay(asked)
  }
}
