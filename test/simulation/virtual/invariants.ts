import { getTableName } from 'drizzle-orm'
import type { OrderState, PaymentState } from 'kassa/engine'
import {
  chainTransactions,
  collections,
  orders,
  payments,
  refunds,
} from '../../../service/src/base/db/tables/index.js'
import type { ServiceCall } from './contracts.js'
import type { Row } from './parser.js'
import type { RowChange } from './storage.js'
import type { World } from './world.js'

const orderTable = getTableName(orders)
const collectionTable = getTableName(collections)

/** Returns the payments that an order has accepted. */
export const acceptedOf = ({ payments }: OrderState): PaymentState[] =>
  payments.filter(({ use }) => use === 'accepted')

const sum = (payments: readonly PaymentState[]): bigint =>
  payments.reduce((units, paid) => units + BigInt(paid.units), 0n)

const sumRefunds = ({ refunds }: OrderState, paymentId: string): bigint =>
  refunds.reduce((sum, refund) => sum + (refund.paymentId === paymentId ? BigInt(refund.units) : 0n), 0n)

/** Whether a payment counts for the price that an unpaid order has. */
const countsFor = ({ quote, payment }: OrderState, paid: PaymentState): boolean =>
  // A quote that the order calls expired may have been paid in its last moment.
  (quote.status === 'valid' || quote.status === 'expired') &&
  paid.currency === payment.currency &&
  paid.minedAtMs <= (quote.expiresAtMs ?? 0)

/** Whether a payment is all that an unpaid order waits for. */
const paysFor = (order: OrderState, paid: PaymentState): boolean =>
  countsFor(order, paid) && BigInt(paid.units) >= BigInt(order.quote.totalUnits ?? 0)

/** Whether the price of an order is in blocks, in one payment or several, and waits for confirmations. */
const isBeingPaid = (order: OrderState): boolean => {
  const counted = order.payments.filter(
    (paid) => (paid.use === 'undecided' || paid.use === 'part') && countsFor(order, paid),
  )
  return counted.some(({ use }) => use === 'undecided') && sum(counted) >= BigInt(order.quote.totalUnits ?? 0)
}

// Rules of the engine that are said again here, so that a bug in one of them is found.
const isFree = ({ quote }: OrderState): boolean =>
  quote.status === 'valid' && BigInt(quote.totalUnits ?? 1) === 0n
const mustCapture = ({ capture }: OrderState): boolean =>
  capture !== undefined && capture.status !== 'captured'

/** What must be true of a capture: it is decided once, and a capture in time. */
const explainCaptureChange = (
  before: OrderState | undefined,
  { capture }: OrderState,
): string | undefined => {
  const earlier = before?.capture?.status
  const isDecided = earlier !== undefined && earlier !== 'requires-capture'
  if (isDecided && capture?.status !== earlier) return `its payment was ${earlier} and is ${capture?.status}`
  const { status, decidedAtMs = 0, deadlineMs = 0 } = capture ?? {}
  if (status === 'captured' && decidedAtMs >= deadlineMs) return 'its payment is captured too late'
  if (status === 'expired' && decidedAtMs < deadlineMs) return 'its payment is given back too soon'
  return undefined
}

/** What must be true of the payments that an order keeps together. */
const explainKept = (order: OrderState): string | undefined => {
  const accepted = acceptedOf(order)
  if (!accepted.length) return undefined
  const total = BigInt(order.quote.totalUnits ?? 0)
  const names = accepted.map(({ id }) => id).join(' and ')
  if (isFree(order)) return `${names} is kept, and there is nothing to pay`
  if (sum(accepted) < total) return `${names} is kept, but pays too little`
  if (accepted.length > 1 && accepted.some(({ units }) => BigInt(units) >= total)) {
    return `two payments are kept, and one is enough: ${names}`
  }
  // The last one was needed.
  if (accepted.every(({ units }) => sum(accepted) - BigInt(units) >= total))
    return `too many are kept: ${names}`
  for (const paid of accepted) {
    if (paid.minedAtMs > (order.quote.expiresAtMs ?? 0)) return `${paid.id} is kept, but came too late`
    if (paid.currency !== order.payment.currency || paid.chain !== order.payment.chain) {
      return `${paid.id} is kept, but is in another currency`
    }
  }
  return undefined
}

/** What must be true of the parts of a price. */
const explainParts = (order: OrderState): string | undefined => {
  const parts = order.payments.filter(({ use }) => use === 'part')
  const [part] = parts
  if (!part) return undefined
  // After the end of a quote, its parts wait until payments were looked for up to then.
  const mayWait = order.phase === 'payment' || (order.phase === 'quote' && order.quote.status === 'expired')
  if (!mayWait) return `${part.id} is a part of a price, and its order is in ${order.phase}`
  if (sum(parts) >= BigInt(order.quote.totalUnits ?? 0)) return 'its parts are the price, and it is not paid'
  return parts.some(({ id }) => sumRefunds(order, id))
    ? 'a part of its price is refunded, and counts'
    : undefined
}

/** The uses that a payment may have next. The accepted ones change only together, when one of them is lost. */
const nextUses: Record<PaymentState['use'], readonly PaymentState['use'][]> = {
  undecided: ['undecided', 'part', 'accepted', 'returned'],
  part: ['part', 'accepted', 'returned'],
  accepted: ['accepted', 'part', 'returned'],
  returned: ['returned'],
}

/** What must be true when an order is quoted again: no payment may still pay for the quote before. */
const explainRequote = (before: OrderState | undefined, after: OrderState): string | undefined => {
  if (!before || before.quote.quotedAtMs === after.quote.quotedAtMs) return undefined
  // A payment at an earlier price brings that price back.
  const isBack = before.earlierQuotes?.some(({ quote }) => quote.quotedAtMs === after.quote.quotedAtMs)
  const open = before.payments.find(({ use }) => use !== 'returned')
  return open && !isBack ? `it is quoted again while ${open.id} may pay for it` : undefined
}

/** What must be true of an order at every commit. */
const checkOrder = (before: OrderState | undefined, after: OrderState): string | undefined => {
  const [paid] = acceptedOf(after)
  const wanted = after.lineItems.find(
    ({ delivery }) => delivery.status === 'completed' || delivery.status === 'in-progress',
  )
  if (wanted && !paid && !isFree(after)) return 'it is delivered without a payment'
  const kept = explainKept(after) ?? explainParts(after)
  if (kept !== undefined) return kept
  const requoted = explainRequote(before, after)
  if (requoted !== undefined) return requoted
  const captured = explainCaptureChange(before, after)
  if (captured !== undefined) return captured
  if (wanted && paid && mustCapture(after)) return 'it is delivered before its payment is captured'
  for (const payment of after.payments) {
    const refunded = sumRefunds(after, payment.id)
    if (refunded > BigInt(payment.units))
      return `${refunded} of ${payment.units} are refunded of ${payment.id}`
    const earlier = before?.payments.find(({ id }) => id === payment.id)
    const isNewlyReturned = earlier?.use === 'undecided' && payment.use === 'returned'
    if (isNewlyReturned && !paid && before && paysFor(before, payment)) {
      return `${payment.id} is returned, although it pays the whole price in time`
    }
    const isUndone = earlier?.use === 'accepted' && payment.use !== 'accepted'
    const isLacking = before?.payments.some(
      ({ id, use }) => use === 'accepted' && !after.payments.some((one) => one.id === id && !one.isLost),
    )
    const isChanged = earlier && (!nextUses[earlier.use].includes(payment.use) || (isUndone && !isLacking))
    if (isChanged) return `${payment.id} was ${earlier.use} and is ${payment.use}`
  }
  for (const [index, item] of (before?.lineItems ?? []).entries()) {
    const next = after.lineItems[index]?.delivery
    const { status, tokenIds } = item.delivery
    if (status === 'completed' && next?.status !== status)
      return `item ${index} was ${status} and is ${next?.status}`
    const isRenamed = tokenIds && next?.tokenIds && tokenIds.join() !== next.tokenIds.join()
    if (isRenamed) return `item ${index} has new token ids`
  }
  return undefined
}

const expectedFailure =
  /process \d has ended|deadlock|does not answer|answer is lost|changed at the same|transaction is over/

/** Counts the tokens that orders reserve of a collection: they are paid for, at least in a block, and have no ids. */
const countReserved = (all: readonly OrderState[], collection: unknown): number =>
  all
    .filter((order) => order.phase === 'delivery' || (order.phase === 'payment' && isBeingPaid(order)))
    .flatMap(({ lineItems }) => lineItems)
    .filter(
      ({ collectionId, quote, delivery }) =>
        collectionId === collection &&
        quote.status === 'valid' &&
        (delivery.status === 'awaiting-payment' || delivery.status === 'in-progress') &&
        !delivery.tokenIds,
    )
    .reduce((sum, { quantity }) => sum + quantity, 0)

/** What must never be, checked at every commit and every signature of a simulated world. */
export class Invariants {
  /** The first thing that must never be, in words. */
  violation: string | undefined

  private readonly world: World

  constructor(world: World) {
    this.world = world
  }

  fail(text: string): void {
    if (this.violation !== undefined) return
    this.violation = text
    this.world.note(() => `WRONG: ${text}`)
  }

  onCommit(changes: readonly RowChange[]): void {
    let hasSupply = false
    for (const { table, before, after } of changes) {
      if (table === orderTable) this.onOrder(before, after)
      hasSupply ||= table === orderTable || table === collectionTable
      if (isTold(table)) this.world.note(() => `commit: ${table} ${describeRow(after)}`)
    }
    if (hasSupply) this.checkSupply()
  }

  private onOrder(before: Row | undefined, after: Row): void {
    const order = after.document as OrderState
    if (before && Number(after.revision) !== Number(before.revision) + 1) {
      this.fail(`order ${order.orderId}: its revision goes from ${before.revision} to ${after.revision}`)
    }
    const wrong = checkOrder(before?.document as OrderState | undefined, order)
    if (wrong !== undefined) this.fail(`order ${order.orderId}: ${wrong}`)
  }

  private checkSupply(): void {
    const { storage } = this.world
    const all = storage.rows(orders).map((row) => row.document as OrderState)
    const items = all.flatMap(({ lineItems }) => lineItems)
    for (const { id, supplyLimit, allocatedCount, reservedCount } of storage.rows(collections)) {
      const held = items
        .filter(
          ({ collectionId, delivery }) =>
            collectionId === id && delivery.tokenIds && delivery.status !== 'failed',
        )
        .reduce((sum, { quantity }) => sum + quantity, 0)
      if (allocatedCount !== held)
        this.fail(`${id}: ${allocatedCount} tokens are allocated, and orders hold ${held}`)
      const reserved = countReserved(all, id)
      if (reservedCount !== reserved)
        this.fail(`${id}: ${reservedCount} tokens count as reserved, and orders reserve ${reserved}`)
      if (supplyLimit !== null && held > Number(supplyLimit))
        this.fail(`${id}: ${held} of ${supplyLimit} are sold`)
    }
  }

  /** Checks a call that the service has just signed: nothing is sent for money that was never final. */
  onSigned(call: ServiceCall): void {
    if (call.type !== 'mint') return
    const { chain, storage } = this.world
    const order = storage
      .rows(orders)
      .map((row) => row.document as OrderState)
      .find(({ orderId }) => call.key.startsWith(`mint:${orderId}:`))
    const paid = order ? acceptedOf(order) : []
    if (order && isFree(order)) return
    if (!order || !paid.length || !paid.every(({ txId }) => chain.onceFinal.has(txId))) {
      this.fail(`${call.key} is signed, and no final payment pays for it`)
    } else if (mustCapture(order)) {
      this.fail(`${call.key} is signed, and its payment is not captured`)
    }
  }

  /** Work may fail because a process ends, rows are locked or an answer is lost. Any other failure is a bug. */
  onFailure(what: string, error: unknown): void {
    this.world.note(() => `failed: ${what}: ${error}`)
    const isExpected = error instanceof Error && expectedFailure.test(error.message)
    if (!isExpected) this.fail(`${what} failed: ${error instanceof Error ? error.stack : error}`)
  }
}

/** Tables whose changes are part of a trace. */
const isTold = (table: string): boolean =>
  [orders, payments, refunds, collections, chainTransactions].some((each) => getTableName(each) === table)

const describeRow = ({ id, key, status, document, allocatedCount }: Row): string => {
  const order = document as OrderState | undefined
  if (!order) return JSON.stringify({ id, key, status, allocatedCount })
  const { phase, quote, payment, payments, refunds, lineItems } = order
  return JSON.stringify({
    id,
    phase,
    quote: quote.status,
    payment: payment.status,
    payments: payments.map((paid) => `${paid.txId} ${paid.use}${paid.isLost ? ' lost' : ''}`),
    refunds: refunds.map((refund) => `${refund.units} ${refund.reason} ${refund.status}`),
    items: lineItems.map(({ delivery }) => delivery.status),
  })
}
