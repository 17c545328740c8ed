import { eq } from 'drizzle-orm'
import { explainChainAddress, type OrderEvent, planRefundAddress, viewOrder } from 'kassa/engine'
import type { Order } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Transaction } from '#base/db/database.js'
import { refunds } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { checkInput, ServiceError } from '#base/errors.js'
import { audienceOf, requireOrderAccess } from '#identity/authorize.js'
import { assertNoDeposit, formsOf, readRefundAddress } from './readRefundAddress.js'
import { type LockedOrder, lockOrder, readOrder } from './store.js'
import { applyEvents } from './updateOrder.js'

/** Sends a held refund to the address that was named, if it passes the checks of every refund. */
const retry = async (deps: Deps, tx: Transaction, orderId: string, event: OrderEvent): Promise<void> => {
  if (event.type !== 'refund-retried') return
  const { refundId, to: sentTo } = event
  const pending = { status: 'pending' as const, heldAs: null, failure: null, sentTo }
  await tx.update(refunds).set(pending).where(eq(refunds.id, refundId))
  await deps.jobs.enqueue(tx, 'orders.refund', { orderId, refundId }, { priority: 1 })
}

const plan = (
  deps: Deps,
  { order }: LockedOrder,
  { address, isMerchant }: { address: string; isMerchant: boolean },
): OrderEvent[] => {
  const { orderId } = order
  const read = (chain: string) => readRefundAddress(deps, { orderId, chain, address })
  const explain = (chain: string) => explainChainAddress(address, chain)
  const planned = checkInput(() => planRefundAddress(order, { isMerchant, read, explain }))
  if ('refusal' in planned) throw new ServiceError('conflict', planned.refusal)
  return planned
}

/**
 * Names where the refunds of an order go, and sends those that are held until an address is named. The lock of the order
 * makes it come before or after the release of a refund, which fixes where that one goes.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`, `input-invalid`, `unprocessable`; `conflict` if a payment was
 * seen and no refund waits for an address.
 */
export const nameRefundAddress = async (
  deps: Deps,
  call: Call,
  { orderId: asked, address }: { orderId: string; address: string },
): Promise<Order> => {
  requireOrderAccess(call.actor, 'orders.update', asked)
  const read = await readOrder(deps.db, asked, call.actor.projectId)
  if (!read) throw new ServiceError('not-found', 'Not found')
  const { orderId } = read.order
  const audience = audienceOf(call.actor)
  return deps.db.transaction(async (tx) => {
    const stored = await lockOrder(tx, orderId)
    if (!stored) throw new ServiceError('not-found', 'Not found')
    const events = plan(deps, stored, { address, isMerchant: audience === 'merchant' })
    await assertNoDeposit(tx, deps.chains.enabled, formsOf(deps, address))
    const order = await applyEvents(deps, tx, stored, events)
    for (const event of events) await retry(deps, tx, orderId, event)
    const body = viewOrder(order, deps.now(), audience)
    await call.complete(tx, { status: 200, body })
    return body
  })
}
