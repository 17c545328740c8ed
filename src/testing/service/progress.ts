import { getAddress, keccak256, stringToHex } from 'viem'
import { makeKey } from '../../api/makeKey.js'
import { findPayments } from './findPayments.js'
import { mintTokens } from './mintTokens.js'
import { preparePayment } from './preparePayment.js'
import type { TestItem, TestOrder, TestPayment } from './testOrder.js'
import type { TestWorld } from './testWorld.js'
import { openTestUserWallet } from './wallets/openTestUserWallet.js'
import { toUserLocator } from './wallets/userLocator.js'

/**
 * Mints what was bought to its recipient, unless a test wants that to fail or nothing is left of it.
 *
 * @returns Whether it was minted.
 */
const deliverItem = (world: TestWorld, order: TestOrder, item: TestItem): boolean => {
  const { quantity, templateId = '', collectionId, metadata: looks } = item
  const collection = world.collections.get(collectionId)
  const sold = collection?.sold.get('') ?? 0
  const isLeft =
    collection && !collection.isSoldOut && sold + quantity <= (collection.supply ?? Number.POSITIVE_INFINITY)
  if (!collection || !isLeft || item.isDoomed) {
    item.delivery = { ...item.delivery, status: 'failed' }
    return false
  }
  collection.sold.set('', sold + quantity)
  if (templateId) collection.sold.set(templateId, (collection.sold.get(templateId) ?? 0) + quantity)
  // Who gives an e-mail address has a wallet kept for them.
  const userLocator = toUserLocator('email', order.recipient?.email ?? '')
  const owner = item.delivery.walletAddress
    ? getAddress(item.delivery.walletAddress)
    : openTestUserWallet(world, { type: 'evm-mpc-wallet', userLocator }).address
  item.delivery = {
    status: 'completed',
    walletAddress: owner,
    txId: keccak256(stringToHex(makeKey())),
    tokens: mintTokens(world, collection, { owner, quantity, looks }),
  }
  return true
}

// A wallet that is empty because it has just paid does not lack funds.
const hintedForMs = 3 * 60_000

/** An event of an order that is due at a time. */
type Due = { atMs: number; happen(): void }

const isUnpaid = ({ phase }: TestOrder): boolean => phase === 'quote' || phase === 'payment'

const fits = ({ payment, quote }: TestOrder, { chain, currency, minedAtMs }: TestPayment): boolean =>
  chain === payment.chain && currency === payment.currency && minedAtMs <= (quote.expiresAtMs ?? 0)

const isBeingPaid = (order: TestOrder): boolean =>
  order.payments.some((paid) => paid.use === 'undecided' && fits(order, paid))

const restamp = ({ items }: TestOrder, from: 'valid' | 'expired', to: 'valid' | 'expired'): void => {
  for (const { quote } of items) if (quote.status === from) quote.status = to
}

const expire = (order: TestOrder): void => {
  order.phase = 'quote'
  order.quote.status = 'expired'
  restamp(order, 'valid', 'expired')
  const { serializedTransaction: _outdated, ...payment } = order.payment
  order.payment = { ...payment, status: 'requires-quote' }
}

const see = (order: TestOrder, paid: TestPayment): void => {
  order.payments.push(paid)
  if (!isUnpaid(order) || !fits(order, paid)) return
  order.phase = 'payment'
  order.quote.status = 'valid'
  restamp(order, 'expired', 'valid')
  order.payment.status = 'in-progress'
}

const refund = (world: TestWorld, order: TestOrder, paid: TestPayment, units: bigint, atMs: number): void => {
  if (units <= 0n) return
  const txId = keccak256(stringToHex(makeKey()))
  const sentAtMs = atMs + world.timings.confirmedMs
  order.refunds.push({ units, paymentTxId: paid.txId, txId, sentAtMs })
}

const accept = (world: TestWorld, order: TestOrder, paid: TestPayment, atMs: number): void => {
  paid.use = 'accepted'
  order.phase = 'delivery'
  order.acceptedAtMs = atMs
  const { failureReason: _overcome, ...payment } = order.payment
  order.payment = { ...payment, status: 'completed' }
  for (const item of order.items) {
    item.delivery.status = item.quote.status === 'valid' ? 'in-progress' : 'failed'
  }
  refund(world, order, paid, paid.units - (order.quote.totalUnits ?? 0n), atMs)
}

const messages = {
  underpaid: 'Less than the quoted price was paid.',
  expired: 'The payment arrived after the quote had expired.',
  unknown: 'The payment does not fit the quote.',
}

const confirm = (world: TestWorld, order: TestOrder, paid: TestPayment, atMs: number): void => {
  const isHeld = order.phase === 'payment' && fits(order, paid)
  if (isHeld && paid.units >= (order.quote.totalUnits ?? 0n)) {
    accept(world, order, paid, atMs)
    return
  }
  paid.use = 'returned'
  if (isUnpaid(order)) {
    const isLate = paid.minedAtMs > (order.quote.expiresAtMs ?? Number.POSITIVE_INFINITY)
    const code = isHeld ? 'underpaid' : isLate ? 'expired' : 'unknown'
    order.payment.failureReason = { code, message: messages[code] }
    if (order.payment.status === 'in-progress' && !isBeingPaid(order)) {
      const { payerAddress } = order.payment
      order.payment.status = payerAddress ? 'awaiting-payment' : 'requires-crypto-payer-address'
    }
  }
  refund(world, order, paid, paid.units, atMs)
}

const deliver = (world: TestWorld, order: TestOrder, item: TestItem, atMs: number): void => {
  const paid = order.payments.find(({ use }) => use === 'accepted')
  if (!deliverItem(world, order, item) && paid) {
    refund(world, order, paid, item.quote.totalUnits ?? 0n, atMs)
  }
  if (order.items.every(({ delivery }) => ['completed', 'failed'].includes(delivery.status))) {
    order.phase = 'completed'
  }
}

/** Finds the next event of an order, at any time. */
const findNext = (world: TestWorld, order: TestOrder): Due | undefined => {
  const { confirmedMs, deliveredMs } = world.timings
  const due: Due[] = findPayments(world, order).map((paid) => ({
    atMs: paid.minedAtMs,
    happen: () => see(order, paid),
  }))
  for (const paid of order.payments.filter(({ use }) => use === 'undecided')) {
    const atMs = paid.minedAtMs + confirmedMs
    due.push({ atMs, happen: () => confirm(world, order, paid, atMs) })
  }
  const { expiresAtMs } = order.quote
  if (order.phase === 'payment' && expiresAtMs !== undefined && !isBeingPaid(order)) {
    due.push({ atMs: expiresAtMs, happen: () => expire(order) })
  }
  for (const [index, item] of order.items.entries()) {
    if (item.delivery.status !== 'in-progress') continue
    const atMs = (order.acceptedAtMs ?? 0) + deliveredMs * (index + 1)
    due.push({ atMs, happen: () => deliver(world, order, item, atMs) })
  }
  return due.sort((one, other) => one.atMs - other.atMs)[0]
}

/**
 * Applies everything that is due for an order by now: a mined payment is seen, then confirmed, then the items
 * are delivered. An unpaid quote expires, and a payer without funds receives them.
 */
export const progress = (world: TestWorld, order: TestOrder): void => {
  world.chains.mine()
  for (let next = findNext(world, order); next && next.atMs <= world.now(); next = findNext(world, order)) {
    next.happen()
  }
  const { payment, payments, hintedAtMs = 0 } = order
  const isWaiting = payment.status === 'awaiting-payment' || payment.status.startsWith('crypto-payer-')
  const isPerhapsPaid =
    payments.some(({ use }) => use === 'undecided') || hintedAtMs > world.now() - hintedForMs
  if (order.phase !== 'payment' || !payment.payerAddress || !isWaiting || isPerhapsPaid) return
  const { serializedTransaction, ...terms } = payment
  const funds = preparePayment(world, order)
  // A transaction that can be signed stays unchanged.
  order.payment = {
    ...terms,
    ...funds,
    ...(funds.status === 'awaiting-payment' && serializedTransaction && { serializedTransaction }),
  }
}
