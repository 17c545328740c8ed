import { makeKey } from '../../api/makeKey.js'
import { CreateOrderBody } from '../../schema/createOrder.js'
import { EditOrderBody } from '../../schema/editOrder.js'
import { ReportPaymentBody } from '../../schema/paymentInput.js'
import { HttpError, readInput } from './httpError.js'
import type { Caller } from './identify.js'
import { progress } from './progress.js'
import { type AskedTerms, checkTotalPrices, quoteTestOrder } from './quoteTestOrder.js'
import { readItems, readTerms } from './readOrderInput.js'
import type { TestOrder } from './testOrder.js'
import type { TestWorld } from './testWorld.js'
import { toUuid } from './toUuid.js'
import { viewTestOrder } from './viewTestOrder.js'

/** What the service answers. */
export type Answer = { status: number; body: unknown }

/** Shows an order to a caller as it is now. */
export const showTestOrder = ({ now }: TestWorld, order: TestOrder, caller: Caller): Answer => ({
  status: 200,
  body: viewTestOrder(order, now(), caller),
})

/** Creates an order. */
export const createTestOrder = (world: TestWorld, input: unknown, caller: Caller): Answer => {
  const body = readInput(CreateOrderBody, input, 'body')
  const payment = readTerms(world, body.payment)
  const items = readItems(body.lineItems)
  checkTotalPrices(world, items)
  const { locale = 'en-US', recipient, metadata, gift } = body
  const clientSecret = `cs_${makeKey()}`
  const orderId = toUuid(makeKey())
  const known = { orderId, clientSecret, createdAtMs: world.now(), locale, metadata, gift }
  const order = quoteTestOrder(world, { ...known, recipient, payment, items })
  world.orders.set(order.orderId, order)
  return { status: 201, body: { clientSecret, order: viewTestOrder(order, world.now(), caller) } }
}

const requote = (world: TestWorld, order: TestOrder, change: Partial<AskedTerms>): TestOrder => {
  const isUnpaid = order.phase === 'quote' || order.phase === 'payment'
  if (!isUnpaid || order.payments.length) {
    throw new HttpError(409, 'The order can no longer be changed: a payment was seen')
  }
  const { status: _s, serializedTransaction: _t, failureReason: _f, ...payment } = order.payment
  const { orderId, clientSecret, createdAtMs, locale, metadata, gift, items } = order
  const kept = { orderId, clientSecret, createdAtMs, locale, metadata, gift, items, payment }
  // What an order never tells its buyer, a change cannot repeat.
  const physicalAddress = order.recipient?.physicalAddress
  const recipient = change.recipient && { ...(physicalAddress && { physicalAddress }), ...change.recipient }
  const { receiptEmail } = payment
  const terms = change.payment && { ...(receiptEmail !== undefined && { receiptEmail }), ...change.payment }
  const asked: AskedTerms = {
    ...kept,
    ...change,
    recipient: recipient ?? order.recipient,
    payment: terms ?? payment,
  }
  const quoted = quoteTestOrder(world, asked)
  world.orders.set(orderId, quoted)
  return quoted
}

/** Changes an order that is not paid, and quotes it again. */
export const editTestOrder = (world: TestWorld, order: TestOrder, input: unknown): TestOrder => {
  const { locale, recipient, payment } = readInput(EditOrderBody, input, 'body')
  return requote(world, order, {
    ...(locale && { locale }),
    ...(recipient && { recipient }),
    ...(payment && { payment: readTerms(world, payment) }),
  })
}

/** Quotes an order again, at today's price. */
export const refreshTestOrder = (world: TestWorld, order: TestOrder): TestOrder => requote(world, order, {})

/** Takes the buyer's word that they have paid. The chain alone decides. */
export const reportTestPayment = (world: TestWorld, order: TestOrder, input: unknown): TestOrder => {
  readInput(ReportPaymentBody, input, 'body')
  order.hintedAtMs = world.now()
  return order
}

/** Finds an order, and lets everything happen to it that is due. */
export const findTestOrder = (world: TestWorld, orderId: string): TestOrder | undefined => {
  const order = world.orders.get(orderId)
  if (order) progress(world, order)
  return order
}
