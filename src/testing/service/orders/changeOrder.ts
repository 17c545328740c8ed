import { makeKey } from '../../../api/makeKey.js'
import { explainUneditable } from '../../../engine/order/applyQuote.js'
import { type CaptureDecision, explainCapture, readCapture } from '../../../engine/order/explainCapture.js'
import { isClaim } from '../../../engine/order/isClaim.js'
import { newOrder } from '../../../engine/order/newOrder.js'
import { planRefundAddress } from '../../../engine/order/refundAddress.js'
import {
  type AskedTerms,
  assertPromoted,
  changeTerms,
  readLineItems,
  readRecipient,
  type TermsChange,
} from '../../../engine/order/terms.js'
import { parseInput } from '../../../engine/parseInput.js'
import { explainChainAddress, parseChainAddress } from '../../../engine/wallet/parseChainAddress.js'
import { CreateOrderBody } from '../../../schema/createOrder.js'
import { EditOrderBody } from '../../../schema/editOrder.js'
import { isPaymentInput, ReportPaymentBody } from '../../../schema/paymentInput.js'
import type { Caller } from '../caller.js'
import { type Answer, HttpError } from '../http.js'
import { applyEvent, planRefundSend } from '../progress.js'
import type { TestOrder, TestWorld } from '../testWorld.js'
import { toUuid } from '../toUuid.js'
import { quote, readPayment } from './priceOrder.js'
import { viewTestOrder } from './readOrders.js'

/** How long the merchant may capture a payment, as the service has it by default. */
const captureMs = 168 * 3_600_000

/** Creates an order. */
export const createOrder = (world: TestWorld, input: unknown, caller: Caller): Answer => {
  const body = parseInput(CreateOrderBody, input, 'body')
  const capture = readCapture(body.payment.capture, { isServer: caller === 'server', windowMs: captureMs })
  const payment = readPayment(world, body.payment)
  const items = readLineItems('kassa', body.lineItems)
  const { locale = 'en-US', metadata, gift, promotionCode } = body
  const recipient = readRecipient(body.recipient)
  const orderId = toUuid(makeKey())
  const asked: AskedTerms = {
    orderId,
    projectId: 'test',
    locale,
    recipient,
    payment,
    items,
    promotionCode,
    ...(metadata && { metadata }),
  }
  const terms = quote(world, asked, true)
  if (promotionCode !== undefined) assertPromoted(terms)
  const record: TestOrder = {
    order: {
      ...newOrder(orderId, asked.projectId, terms),
      ...(gift && { gift }),
      ...capture,
    },
    clientSecret: `cs_${makeKey()}`,
    due: [],
    seen: new Set(),
    refundedAtMs: new Map(),
    contractTxIds: new Set(),
    authorizations: [],
    failing: new Set(),
  }
  applyEvent(world, record, { event: { type: 'quoted', terms }, atMs: world.now() })
  applyEvent(world, record, { event: { type: 'claim-requested' }, atMs: world.now() })
  world.orders.set(orderId, record)
  return {
    status: 201,
    body: { clientSecret: record.clientSecret, order: viewTestOrder(world, record, caller) },
  }
}

/** Refuses to change an order that no longer can be. */
export const assertEditable = ({ order }: TestOrder): void => {
  const refusal = explainUneditable(order)
  if (refusal !== undefined) throw new HttpError(409, refusal)
}

/** Quotes an order again, on changed terms if there are any. */
export const requote = (world: TestWorld, record: TestOrder, change?: TermsChange): void => {
  assertEditable(record)
  const terms = quote(world, changeTerms(record.order, change ?? {}), false)
  if (change?.promotionCode != null) assertPromoted(terms)
  const atMs = world.now()
  const claims = isClaim(record.order, change)
  applyEvent(world, record, { event: { type: 'quoted', terms }, atMs })
  if (claims) applyEvent(world, record, { event: { type: 'claim-requested' }, atMs })
}

/** Names where refunds go, and sends those that are held until an address is named. */
const nameRefundAddress = (
  world: TestWorld,
  record: TestOrder,
  { address, caller }: { address: string; caller: Caller },
): void => {
  const isMerchant = caller === 'server'
  const read = (chain: string) => parseChainAddress(chain, address)
  const explain = (chain: string) => explainChainAddress(address, chain)
  const planned = planRefundAddress(record.order, { isMerchant, read, explain })
  if ('refusal' in planned) throw new HttpError(409, planned.refusal)
  const atMs = world.now()
  for (const event of planned) {
    applyEvent(world, record, { event, atMs })
    if (event.type === 'refund-retried')
      record.due.push(planRefundSend(world, record, { refundId: event.refundId, fromMs: atMs }))
  }
}

/** Changes an order, and quotes it again. */
export const editOrder = (
  world: TestWorld,
  record: TestOrder,
  { input, caller }: { input: unknown; caller: Caller },
): void => {
  const { locale, recipient, payment, promotionCode } = parseInput(EditOrderBody, input, 'body')
  if (payment && !isPaymentInput(payment)) {
    nameRefundAddress(world, record, { address: payment.refundAddress ?? '', caller })
    return
  }
  requote(world, record, {
    ...(locale && { locale }),
    ...(recipient && { recipient: readRecipient(recipient) }),
    ...(payment && { payment: readPayment(world, payment) }),
    ...(promotionCode !== undefined && { promotionCode }),
  })
}

/** Takes the transaction that a buyer says has paid. */
export const reportPayment = (world: TestWorld, record: TestOrder, input: unknown): void => {
  const { txId } = parseInput(ReportPaymentBody, input, 'body')
  applyEvent(world, record, { event: { type: 'payment-reported', txId }, atMs: world.now() })
}

/** Captures or voids the payment of an order. */
export const decide = (world: TestWorld, record: TestOrder, decision: CaptureDecision): void => {
  const atMs = world.now()
  const found = explainCapture(record.order, decision, atMs)
  if (found === 'done') return
  if (found !== 'due') throw new HttpError(409, found.refusal)
  const type = decision === 'capture' ? 'capture-requested' : 'void-requested'
  applyEvent(world, record, { event: { type }, atMs })
}
