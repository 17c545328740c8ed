import { eq } from 'drizzle-orm'
import { type OrderEvent, type OrderState, transition } from 'kassa/engine'
import { orders, payments } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { readOrder } from '#sale/orders/store.js'
import { testPayer } from './createShop.js'

/** Makes an order paid and delivered, where no job and no chain does it. */
export const sellOrder = async ({ db, now }: Pick<Deps, 'db' | 'now'>, orderId: string): Promise<void> => {
  const stored = await readOrder(db, orderId)
  if (!stored) throw new Error(`there is no order ${orderId}`)
  const { order, revision } = stored
  const { chain, currency, decimals } = order.payment
  const money = { chain, currency, units: order.quote.totalUnits ?? '0', payer: testPayer }
  const id = `payment of ${orderId}`
  const minedAtMs = now()
  const txId = `0x${'4'.repeat(64)}`
  const place = {
    logIndex: 0,
    blockNumber: 1n,
    blockHash: '0x1',
    minedAt: new Date(minedAtMs),
    target: '0x2',
  }
  await db.insert(payments).values({ id, orderId, ...money, txId, ...place, status: 'confirmed' })
  const events: OrderEvent[] = [
    { type: 'payment-seen', payment: { id, ...money, decimals, txId, minedAtMs } },
    { type: 'payment-confirmed', paymentId: id },
    ...order.lineItems.map((_, lineItemIndex): OrderEvent => {
      return { type: 'item-delivered', lineItemIndex, txId, walletAddress: testPayer, tokens: [] }
    }),
  ]
  const document = events.reduce(
    (state: OrderState, event) => transition(state, event, minedAtMs).order,
    order,
  )
  const written = { document, phase: document.phase, revision: revision + 1 }
  await db.update(orders).set(written).where(eq(orders.id, orderId))
}
