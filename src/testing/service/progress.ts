import { getAddress, keccak256, stringToHex } from 'viem'
import { makeKey } from '../../api/makeKey.js'
import type { OrderEffect, OrderEvent } from '../../engine/order/event.js'
import { transition } from '../../engine/order/transition.js'
import { mintTokens } from './mintTokens.js'
import { findPayments, preparePayment } from './payment.js'
import type { TestOrder, TestWorld } from './testWorld.js'
import { openTestUserWallet, toUserLocator } from './wallets/wallets.js'

const newHash = () => keccak256(stringToHex(makeKey()))

/** Mints a line item to its recipient, unless a test makes that fail or nothing is left of it. */
const deliver = (world: TestWorld, { order, failing }: TestOrder, lineItemIndex: number): OrderEvent => {
  const failed: OrderEvent = { type: 'item-failed', lineItemIndex }
  const item = order.lineItems[lineItemIndex]
  const collection = item && world.collections.get(item.collectionId)
  if (!item || !collection || failing.has(lineItemIndex)) return failed
  const { quantity, templateId = '', metadata: looks } = item
  const sold = collection.sold.get('') ?? 0
  if (collection.isSoldOut || sold + quantity > (collection.supply ?? Number.POSITIVE_INFINITY)) return failed
  collection.sold.set('', sold + quantity)
  if (templateId) collection.sold.set(templateId, (collection.sold.get(templateId) ?? 0) + quantity)
  // The service keeps a wallet for each e-mail address.
  const userLocator = toUserLocator('email', order.recipient?.email ?? '')
  const owner = item.delivery.walletAddress
    ? getAddress(item.delivery.walletAddress)
    : openTestUserWallet(world, { type: 'evm-mpc-wallet', userLocator }).address
  const tokens = mintTokens(world, collection, { owner, quantity, looks })
  return { type: 'item-delivered', lineItemIndex, txId: newHash(), walletAddress: owner, tokens }
}

/** An event of an order that is due at a time. */
type Due = TestOrder['due'][number]

/** Returns the event that an effect causes, and when. The tests' service sweeps no proceeds. */
const follow = (world: TestWorld, record: TestOrder, effect: OrderEffect, atMs: number): Due[] => {
  const { confirmedMs, deliveredMs } = world.timings
  if (effect.type === 'deliver') {
    const { lineItemIndex } = effect
    const event = () => deliver(world, record, lineItemIndex)
    return [{ atMs: atMs + deliveredMs * (lineItemIndex + 1), event }]
  }
  if (effect.type === 'refund') {
    const { refundId } = effect
    return [{ atMs: atMs + confirmedMs, event: () => ({ type: 'refund-sent', refundId, txId: newHash() }) }]
  }
  return []
}

/** Applies an event to an order, as of a time. */
export const applyEvent = (
  world: TestWorld,
  record: TestOrder,
  { event, atMs }: { event: OrderEvent; atMs: number },
): void => {
  const { order, effects } = transition(record.order, event, atMs)
  record.order = order
  record.due.push(...effects.flatMap((effect) => follow(world, record, effect, atMs)))
}

/** Finds the next event of an order, at any time. */
const findNext = (world: TestWorld, record: TestOrder): Due | undefined => {
  const { order } = record
  const seen = findPayments(world, record).map(
    (payment): Due => ({ atMs: payment.minedAtMs, event: () => ({ type: 'payment-seen', payment }) }),
  )
  const confirmed = order.payments
    .filter(({ use }) => use === 'undecided')
    .map(({ id: paymentId, minedAtMs }): Due => {
      const event: OrderEvent = { type: 'payment-confirmed', paymentId }
      return { atMs: minedAtMs + world.timings.confirmedMs, event: () => event }
    })
  const { expiresAtMs: atMs } = order.quote
  const event: OrderEvent = { type: 'time-passed' }
  const expires = atMs !== undefined && transition(order, event, atMs).order !== order
  const due = [...seen, ...confirmed, ...(expires ? [{ atMs, event: () => event }] : []), ...record.due]
  return due.sort((one, other) => one.atMs - other.atMs)[0]
}

/**
 * Applies all events that are due for an order by now: a mined payment is seen, then confirmed, then the items
 * are delivered. An unpaid quote expires, and the payer's balance is read.
 */
export const progress = (world: TestWorld, record: TestOrder): void => {
  world.chains.mine()
  for (let next = findNext(world, record); next && next.atMs <= world.now(); next = findNext(world, record)) {
    const done = next
    record.due = record.due.filter((other) => other !== done)
    const event = done.event()
    if (event.type === 'payment-seen') record.seen.add(event.payment.id)
    applyEvent(world, record, { event, atMs: done.atMs })
  }
  const funds = preparePayment(world, record.order)
  if (funds) applyEvent(world, record, { event: { type: 'funds-checked', funds }, atMs: world.now() })
}
