import type { OrderState } from 'kassa/engine'
import { webhookEvents } from '../../../service/src/base/db/tables/index.js'
import type { JobData } from '../../../service/src/base/ports/jobs.js'
import { captureOrder, voidOrder } from '../../../service/src/sale/orders/captureOrder.js'
import { createRefund } from '../../../service/src/sale/orders/createRefund.js'
import { isUncaptured } from '../../../src/engine/order/applyCapture.js'
import type { CreateRefundBody } from '../../../src/schema/index.js'
import { callService } from './network.js'
import type { Row } from './parser.js'
import type { World } from './world.js'

/**
 * The merchant's server: it receives the service's events, some of them late, twice or in another order. Two people
 * there capture or void payments that wait for it, and refund some of the sold orders, at times the same one.
 */
export class Merchant {
  /** The types of the events that it has received, by order. */
  readonly received = new Map<string, Set<string>>()

  private readonly world: World
  private tasks = 0

  constructor(world: World) {
    this.world = world
  }

  /** Receives an event. It throws if the answer does not reach the service, which then sends it again. */
  async receive(
    { eventId }: JobData['webhooks.send'],
    request: () => Promise<void> | undefined,
  ): Promise<void> {
    const { world } = this
    await request()
    if (world.dice.fault('a webhook is lost', 0.05)) throw new Error('the merchant does not answer')
    const event = world.storage.rows(webhookEvents).find(({ id }) => id === eventId)
    const { type, actionId } = JSON.parse(String(event?.body)) as { type: string; actionId: string }
    const types = this.received.get(actionId) ?? new Set<string>()
    this.received.set(actionId, types.add(type))
    world.note(() => `the merchant receives ${type}`)
    if (type === 'orders.delivery.completed') this.refund(actionId)
    if (world.dice.fault('the answer to a webhook is lost', 0.05)) throw new Error('the answer is lost')
  }

  /** Is told that a payment waits for its capture. Some people of the shop then decide about it, or none does. */
  see(before: Row | undefined, after: Row): void {
    const wasWaiting = before !== undefined && isUncaptured(before.document as OrderState)
    if (wasWaiting || !isUncaptured(after.document as OrderState)) return
    const { dice } = this.world
    while (dice.fault('the merchant decides', 0.6)) {
      this.begin(this.decideOnce(String(after.id)))
    }
  }

  private async decideOnce(orderId: string): Promise<void> {
    const { dice, timeline } = this.world
    await timeline.sleep(dice.between('before a decision ms', 0, 300_000))
    const isVoid = dice.fault('the merchant voids', 0.3)
    await callService(this.world, {
      verb: isVoid ? 'voidOrder' : 'captureOrder',
      // Another person has decided, the deadline has passed, or the chain has taken the payment back.
      refusals: ['conflict'],
      send: (deps, call) => (isVoid ? voidOrder : captureOrder)(deps, call, { orderId }),
    }).catch((error) => this.world.note(() => `the merchant cannot decide: ${error}`))
  }

  private begin(task: Promise<void>): void {
    this.tasks += 1
    void task.finally(() => {
      this.tasks -= 1
    })
  }

  /** Whether a person is still refunding an order, or deciding about one. */
  get isActive(): boolean {
    return this.tasks > 0
  }

  private refund(orderId: string): void {
    const { dice } = this.world
    while (dice.fault('the merchant refunds', 0.3)) {
      this.begin(this.refundOnce(orderId))
    }
  }

  private async refundOnce(orderId: string): Promise<void> {
    const { dice, timeline } = this.world
    await timeline.sleep(dice.between('before a refund ms', 0, 120_000))
    const amounts: CreateRefundBody[] = [{}, { lineItems: [{ index: 0 }] }, { amount: '0.000001' }]
    const body = dice.pick('refund', amounts)
    await callService(this.world, {
      verb: 'createRefund',
      // An order that is refunded already, or whose proceeds went to the artist, has nothing left.
      refusals: ['conflict'],
      send: (deps, call) => createRefund(deps, call, { orderId, body }),
    }).catch((error) => this.world.note(() => `the merchant cannot refund: ${error}`))
  }
}
