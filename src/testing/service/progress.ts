import { keccak256, stringToBytes, stringToHex } from 'viem'
import { makeKey } from '../../api/makeKey.js'
import { isUncaptured } from '../../engine/order/applyCapture.js'
import type { OrderEffect, OrderEvent } from '../../engine/order/event.js'
import { findRecipient } from '../../engine/order/refundRecipient.js'
import { atRefund } from '../../engine/order/refundTerms.js'
import { transition } from '../../engine/order/transition.js'
import { encodeBase58 } from '../../engine/solana/base58.js'
import { parseChainAddress } from '../../engine/wallet/parseChainAddress.js'
import { signBytes } from '../solana/signBytes.js'
import { mintTokens } from './mintTokens.js'
import { findPayments, preparePayment } from './payment.js'
import { hasSaleRoom } from './sale.js'
import type { TestOrder, TestWorld, TokenLooks } from './testWorld.js'
import { openCustodialWallet } from './wallets/wallets.js'

/** Returns the id of a transaction of the service's on a chain. */
const newTransactionId = (chain: string): string =>
  chain === 'solana' ? encodeBase58(signBytes(stringToBytes(makeKey()))) : keccak256(stringToHex(makeKey()))

/** Mints a line item to its recipient, unless a test makes that fail or nothing is left of it. */
const deliver = (world: TestWorld, { order, failing }: TestOrder, lineItemIndex: number): OrderEvent => {
  const failed: OrderEvent = { type: 'item-failed', lineItemIndex }
  const item = order.lineItems[lineItemIndex]
  const collection = item && world.collections.get(item.collectionId)
  if (!item || !collection || failing.has(lineItemIndex)) return failed
  const { quantity, templateId = '', metadata } = item
  const sold = collection.sold.get('') ?? 0
  if (collection.isSoldOut || sold + quantity > (collection.supply ?? Number.POSITIVE_INFINITY)) return failed
  if (!hasSaleRoom(world, order, item)) return failed
  collection.sold.set('', sold + quantity)
  if (templateId) collection.sold.set(templateId, (collection.sold.get(templateId) ?? 0) + quantity)
  const { chain } = collection
  const user = { kind: 'email', value: order.recipient?.email ?? '' } as const
  const owner =
    parseChainAddress(chain, item.delivery.walletAddress ?? '') ??
    openCustodialWallet(world, chain, user).address
  // A copy is like its template, and others are numbered.
  const name = (number: number): string => (templateId ? metadata.name : `${metadata.name} #${number}`)
  const looks = (number: number): TokenLooks => ({ ...metadata, name: name(number) })
  const tokens = mintTokens(world, collection, { owner, quantity, looks })
  const txId = newTransactionId(chain)
  return { type: 'item-delivered', lineItemIndex, txId, walletAddress: owner, tokens }
}

/** An event of an order that is due at a time. */
type Due = TestOrder['due'][number]

/** Plans a refund: it is sent to its payer or the address that was named, or held until an address is named. */
export const planRefundSend = (
  { timings }: TestWorld,
  record: TestOrder,
  { refundId, fromMs }: { refundId: string; fromMs: number },
): Due => {
  const atMs = fromMs + timings.confirmedMs
  const event = (): OrderEvent => {
    const { payment, payments, refunds } = atRefund(record.order, refundId)
    const refund = refunds.find(({ id }) => id === refundId)
    const paid = payments.find(({ id }) => id === refund?.paymentId)
    const chain = paid?.chain ?? payment.chain
    const sent: OrderEvent = { type: 'refund-sent', refundId, txId: newTransactionId(chain) }
    if (!refund || !paid || refund.sentTo !== undefined) return sent
    const port = { chain, parseAddress: (text: string) => parseChainAddress(chain, text) }
    const isContract = record.contractTxIds.has(paid.txId)
    const payer = { recipient: paid.payer, sentTo: null, isContract }
    const to = findRecipient(port, { payment }, payer)
    if (to === undefined) return { type: 'refund-held', refundId, heldAs: 'contract-payer' }
    if (to === paid.payer) return sent
    record.due.push({ atMs, event: () => sent })
    return { type: 'refund-retried', refundId, to }
  }
  return { atMs, event }
}

/** Returns the event that an effect causes, and when. The tests' service sweeps no proceeds. */
const follow = (
  world: TestWorld,
  record: TestOrder,
  { effect, atMs }: { effect: OrderEffect; atMs: number },
): Due[] => {
  const { deliveredMs } = world.timings
  if (effect.type === 'deliver') {
    const { lineItemIndex } = effect
    const event = () => deliver(world, record, lineItemIndex)
    return [{ atMs: atMs + deliveredMs * (lineItemIndex + 1), event }]
  }
  if (effect.type === 'schedule-expiry' && isUncaptured(record.order)) {
    return [{ atMs: effect.atMs, event: () => ({ type: 'time-passed' }) }]
  }
  if (effect.type === 'refund') {
    const { refundId } = effect
    record.refundedAtMs.set(refundId, atMs)
    return [planRefundSend(world, record, { refundId, fromMs: atMs })]
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
  record.due.push(...effects.flatMap((effect) => follow(world, record, { effect, atMs })))
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
  // Every payment that is mined by then was seen.
  const event: OrderEvent = { type: 'time-passed', searchedUntilMs: (atMs ?? 0) + 1 }
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
  world.solana.mine()
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
