import type { OrderState } from 'kassa/engine'
import {
  chainTransactions,
  jobs,
  orders,
  payments,
  refunds,
} from '../../../service/src/base/db/tables/index.js'
import { listLines, listUnattributedFunds } from '../../../service/src/sale/ledger/sumLedger.js'
import { recountTotals } from '../../../service/src/sale/ledger/totals.js'
import { resendRefund } from '../../../service/src/sale/orders/resendRefund.js'
import { isClaimed } from '../../../src/engine/order/applyClaim.js'
import { currencies } from './chainPort.js'
import { openDatabase } from './database.js'
import { acceptedOf } from './invariants.js'
import { chainName } from './outbox.js'
import { orderOf } from './transaction.js'
import type { World } from './world.js'

const listOrders = ({ storage }: World): OrderState[] =>
  storage.rows(orders).map((row) => row.document as OrderState)

/** Why an order is at rest, or `undefined` while it goes on. */
const restOf = (order: OrderState): string | undefined => {
  if (order.payments.some(({ use }) => use === 'undecided')) return undefined
  if (
    order.refunds.some(({ id, status, paymentId }) => status === 'pending' && id && !isLost(order, paymentId))
  )
    return undefined
  switch (order.phase) {
    case 'completed':
      return 'completed'
    case 'quote':
      return order.quote.status
    case 'delivery':
      return acceptedOf(order).some((paid) => paid.isLost) ? 'its payment was taken back' : undefined
    default:
      return undefined
  }
}

const isLost = (order: OrderState, paymentId: string): boolean =>
  order.payments.some(({ id, isLost }) => id === paymentId && isLost === true)

/** Whether a job only looks from time to time whether something that waits may go on. */
const isWaiting = (world: World, { name, data }: Record<string, unknown>): boolean => {
  const { refundId, orderId } = data as { refundId?: string; orderId: string }
  const order = listOrders(world).find((one) => one.orderId === orderId)
  if (name === 'orders.refund') {
    const refund = order?.refunds.find(({ id }) => id === refundId)
    return (
      refund?.status === 'held' ||
      refund?.status === 'credited' ||
      (refund !== undefined && order !== undefined && isLost(order, refund.paymentId))
    )
  }
  // A refund that is on the chain, of a payment that no longer is, has taken its money from the proceeds.
  const isShort = order?.payments.some((payment) => payment.isLost) ?? false
  return name === 'orders.sweep' && (isShort || Object.keys(order?.sweepCredits ?? {}).length > 0)
}

/** Whether every order, payment and job has come to its end, or waits for a stated reason. */
export const isAtRest = (world: World): boolean =>
  world.chain.waiting.size === 0 &&
  listOrders(world).every((order) => restOf(order) !== undefined) &&
  world.storage.rows(jobs).every((job) => isWaiting(world, job))

/** Does what people do in the end: payers claim what their accounts rejected, and the operator sends again. */
export const clearUp = async (world: World): Promise<void> => {
  for (const { key, isCredited } of world.chain.contracts.payOuts.values()) {
    if (isCredited) world.chain.contracts.claim(key)
  }
  for (const { id, status } of world.storage.rows(refunds)) {
    const process = world.findProcess()
    if (!process || (status !== 'failed' && status !== 'held')) continue
    await resendRefund(process.deps, { refundId: String(id) }).catch((error) =>
      world.invariants.onFailure('resendRefund', error),
    )
  }
}

/** Finds a payment on the chain that its order does not show as it is. */
const findMissedPayment = (world: World): string | undefined => {
  const taken = new Set(currencies.map(({ currency }) => currency))
  const known = new Map(listOrders(world).map((order) => [order.orderId, order]))
  const counts = new Map<string, number>()
  for (const { txId, target, currency, units } of world.chain.listAllPayments()) {
    const order = known.get(orderOf(target))
    if (!order || !taken.has(currency)) continue
    const place = `${txId}:${target}:${currency}`
    const ordinal = counts.get(place) ?? 0
    counts.set(place, ordinal + 1)
    // A transfer of nothing is counted, and is no payment.
    if (units === 0n) continue
    const payment = order.payments.find(({ id }) => id === `${chainName}:${place}:${ordinal}`)
    if (!payment) return `the payment ${place}:${ordinal} of ${units} was never noticed`
    if (payment.isLost) return `${payment.id} is on the chain, and its order calls it lost`
    if (BigInt(payment.units) !== units) return `${payment.id} has other units on the chain`
  }
  return undefined
}

/**
 * Whether a mint succeeded, and reverts since a deep reorganisation, because the contract that it needs was undone too.
 * The service tells its operator.
 */
const isMintUndone = ({ storage, chain }: World, { orderId }: OrderState, index: number): boolean =>
  storage.rows(chainTransactions).some(({ key, txId, status }) => {
    const isOfItem = String(key).startsWith(`${chainName}:mint:${orderId}:${index}`)
    return isOfItem && status === 'succeeded' && chain.findIncluded(String(txId))?.failure !== undefined
  })

const checkOrderAtEnd = (world: World, order: OrderState): string | undefined => {
  const { chain, merchant } = world
  if (restOf(order) === undefined) {
    return `it does not come to rest: ${order.phase}, ${order.payment.status}, refunds ${order.refunds.map(({ status }) => status)}`
  }
  const paid = acceptedOf(order)
  for (const payment of order.payments) {
    if (payment.isLost) continue
    const included = chain.findIncluded(payment.txId)
    if (!included || included.failure !== undefined) return `${payment.id} is not on the chain`
    const refunded = order.refunds
      .filter(({ paymentId }) => paymentId === payment.id)
      .reduce((sum, { units }) => sum + BigInt(units), 0n)
    if (payment.use === 'returned' && refunded !== BigInt(payment.units)) {
      return `${payment.id} is returned, and ${refunded} of ${payment.units} are refunded`
    }
    const isGivenBack = order.capture?.status === 'voided' || order.capture?.status === 'expired'
    if (isGivenBack && payment.use === 'accepted' && refunded !== BigInt(payment.units)) {
      return `${payment.id} is ${order.capture?.status}, and ${refunded} of ${payment.units} are refunded`
    }
  }
  // The treasury has what was swept there, and nothing fails any more.
  const unpaid = order.refunds.find(({ request, status }) => request && status === 'failed')
  // What was sent for a payment that was taken back later is missing in its order.
  const isShort = order.payments.some(({ isLost }) => isLost)
  if (unpaid && !isShort) return `${unpaid.id} was requested by the merchant, and never arrives`
  for (const [index, { delivery, quantity }] of order.lineItems.entries()) {
    const prefix = `mint:${order.orderId}:${index}:`
    const minted = [...chain.contracts.minted.values()].filter(({ mintKey }) => mintKey.startsWith(prefix))
    const ids = minted.map(({ tokenId }) => `${tokenId}`).sort()
    if (
      delivery.status === 'completed' &&
      !paid.some((payment) => payment.isLost) &&
      !isMintUndone(world, order, index) &&
      (minted.length !== quantity || ids.join() !== [...(delivery.tokenIds ?? [])].sort().join())
    ) {
      return `item ${index} is completed with ${delivery.tokenIds}, and ${ids} of ${quantity} tokens are minted`
    }
    if (delivery.status === 'failed' && minted.length)
      return `item ${index} failed, and ${minted.length} tokens are minted`
  }
  const received = merchant.received.get(order.orderId)
  if (received && paid.length && !received.has('orders.payment.succeeded'))
    return 'the merchant does not know of its payment'
  return undefined
}

/** Sums the money of all orders with the service's own ledger. */
const checkLedger = async (world: World): Promise<void> => {
  const port = world.findProcess()?.deps.chains.get(chainName)
  if (!port) return
  const { storage } = world
  const own = listOrders(world)
  const statement = await port.getStatement(own.map(({ orderId }) => ({ orderId, payOutKeys: [] })))
  const real = storage.rows(payments).filter(({ status }) => status === 'seen' || status === 'confirmed')
  const chains = [{ chain: chainName, currencies, statement }]
  const books = { orders: own, payments: real, refunds: storage.rows(refunds), chains }
  const lines = listLines(books as unknown as Parameters<typeof listLines>[0])
  for (const { difference, orderId, currency, ...line } of lines) {
    const order = own.find((one) => one.orderId === orderId)
    // What was sent for a payment that was taken back is the loss that the log reports.
    if (difference === 0n || order?.payments.some(({ isLost }) => isLost)) continue
    const amounts = Object.entries(line).filter(([, units]) => typeof units === 'bigint' && units !== 0n)
    world.invariants.fail(
      `order ${orderId}: its ${currency} do not add up: ${amounts.map((pair) => pair.join(' ')).join(', ')}`,
    )
  }
  if (listUnattributedFunds(chains).length) world.invariants.fail('money belongs to no order')
}

/** Counts the money of all orders again, as the service does at times, and compares its running totals with it. */
const checkTotals = async ({ storage, timeline, invariants }: World): Promise<void> => {
  const now = () => timeline.nowMs
  const db = openDatabase({ storage, now, step: () => undefined, open: new Set() })
  for (const { line, column, total, counted } of await recountTotals(db, now())) {
    invariants.fail(`the ledger says that ${total} ${line.currency} are ${column}, and the orders ${counted}`)
  }
}

/** Checks what must be true once everything has come to rest. */
export const checkEnd = async (world: World): Promise<void> => {
  const missed = findMissedPayment(world)
  if (missed !== undefined) world.invariants.fail(missed)
  for (const order of listOrders(world)) {
    const wrong = checkOrderAtEnd(world, order)
    if (wrong !== undefined) world.invariants.fail(`order ${order.orderId}: ${wrong}`)
  }
  const stuck = world.storage.rows(jobs).find((job) => !isWaiting(world, job))
  if (stuck) world.invariants.fail(`the job ${stuck.name} ${JSON.stringify(stuck.data)} never ends`)
  await checkLedger(world)
  await checkTotals(world)
}

/** Whether an order was quoted again and paid after everything that was paid before went back. */
const isPaidAnew = (order: OrderState): boolean =>
  acceptedOf(order).length > 0 && order.refunds.some(({ terms }) => terms !== undefined)

/** Returns how the orders, payments and refunds of a world have ended, each in a few words. */
export const outcomesOf = (world: World): string[] =>
  listOrders(world).flatMap((order) => [
    `order ends: ${order.phase}`,
    ...(isPaidAnew(order) ? ['an order is paid at a new price after a return'] : []),
    ...(isClaimed(order) ? [`claim ends: ${order.phase}`] : []),
    ...(order.capture ? [`capture ends: ${order.capture.status ?? 'unpaid'}`] : []),
    ...order.payments.map(({ use, isLost }) => `payment ends: ${isLost ? `${use}, taken back` : use}`),
    ...order.refunds.map(({ status, reason }) => `refund ends: ${reason}, ${status}`),
    ...order.lineItems.map(({ delivery }) => `delivery ends: ${delivery.status}`),
  ])
