import * as z from 'zod/mini'
import { makeKey } from '../../api/makeKey.js'
import { CursorQuery, wrongCursor } from '../../engine/http/pages.js'
import { parseBody } from '../../engine/http/parseBody.js'
import { InvalidInput, invalid } from '../../engine/invalidInput.js'
import { explainUneditable } from '../../engine/order/applyQuote.js'
import { type CaptureDecision, explainCapture } from '../../engine/order/explainCapture.js'
import { isClaim } from '../../engine/order/isClaim.js'
import { newOrder } from '../../engine/order/newOrder.js'
import type { OrderState, PaymentTerms, QuotedTerms } from '../../engine/order/order.js'
import {
  isQuotedIn,
  isSameNetworkKind,
  knownUnits,
  viewPaymentOption,
} from '../../engine/order/paymentOptions.js'
import { explainLeft, planRefund } from '../../engine/order/planRefund.js'
import { explainCancel, planShipment } from '../../engine/order/planShipment.js'
import { quoteOrder } from '../../engine/order/quote.js'
import type { LineItemRequest } from '../../engine/order/quoteInput.js'
import { readPaymentTerms } from '../../engine/order/readPaymentTerms.js'
import { planRefundAddress } from '../../engine/order/refundAddress.js'
import {
  type AskedItem,
  type AskedTerms,
  assertPromoted,
  assertTotalPrice,
  changeTerms,
  quotedTerms,
  readLineItems,
  readRecipient,
  type TermsChange,
} from '../../engine/order/terms.js'
import { viewOrder } from '../../engine/order/view.js'
import { viewRefund } from '../../engine/order/viewRefund.js'
import { viewShipment } from '../../engine/order/viewShipment.js'
import { parseInput } from '../../engine/parseInput.js'
import { explainChainAddress, parseChainAddress } from '../../engine/wallet/parseChainAddress.js'
import { CreateOrderBody } from '../../schema/createOrder.js'
import { EditOrderBody } from '../../schema/editOrder.js'
import { WalletAddress } from '../../schema/locator.js'
import * as operations from '../../schema/operations.js'
import type { Order } from '../../schema/order.js'
import { orderSorts } from '../../schema/orderMembers.js'
import { isPaymentInput, type PaymentInput, ReportPaymentBody } from '../../schema/paymentInput.js'
import { CreateRefundBody, type Refund } from '../../schema/refund.js'
import { CancelShipmentBody, CreateShipmentBody, type Shipment } from '../../schema/shipment.js'
import { listChainCurrencies, testRates } from '../network.js'
import { type Caller, identify, once, type ServiceMemory } from './caller.js'
import type { Answer, ServiceCall } from './http.js'
import { findTestOperation, HttpError, notFound, readPage } from './http.js'
import { estimatePayment, preparePayment } from './payment.js'
import { applyEvent, planRefundSend, progress } from './progress.js'
import { findSold } from './sale.js'
import type { TestOrder, TestWorld } from './testWorld.js'
import { isUuid, toUuid } from './toUuid.js'

const readAddress = (text: string, field: string, chain: string): string => {
  const address = parseChainAddress(chain, text)
  if (address) return address
  throw invalid(field, explainChainAddress(text, chain))
}

const readPayment = ({ enabled }: TestWorld, input: PaymentInput): PaymentTerms => {
  const { refundAddress, ...terms } = readPaymentTerms(input, {
    enabled,
    find: (name) => {
      const chain = enabled.find((one) => one === name)
      const currencies = chain && listChainCurrencies(chain)
      return (
        currencies && {
          currencies,
          taken: currencies,
          parseAddress: (text) => parseChainAddress(name, text),
          explainAddress: (text) => explainChainAddress(text, name),
        }
      )
    },
  })
  return {
    ...terms,
    ...(refundAddress !== undefined && {
      refundAddress: readAddress(refundAddress, 'payment.refundAddress', terms.chain),
    }),
  }
}

/** Finds a requested item's collection and template, with what is left of them. */
const findLineItem = (
  world: TestWorld,
  { collectionId, templateId, quantity, callData }: AskedItem,
  asked: Pick<AskedTerms, 'recipient'>,
): LineItemRequest => {
  const { collections, enabled } = world
  const { recipient } = asked
  const collection = collections.get(collectionId)
  if (!collection) throw new HttpError(404, `Collection ${collectionId} not found`)
  const copied = templateId === undefined ? undefined : collection.templates?.[templateId]
  if (templateId !== undefined && !copied) throw new HttpError(404, `Template ${templateId} not found`)
  const count = (key: string, supply: number | undefined): number | undefined => {
    if (collection.isSoldOut) return 0
    return supply === undefined ? undefined : supply - (collection.sold.get(key) ?? 0)
  }
  const { chain, name, description, imageUrl, price = null, currency, requires = [] } = collection
  const isChainEnabled = enabled.includes(chain)
  const named = isChainEnabled ? recipient?.walletAddress : undefined
  const walletAddress = named === undefined ? undefined : readAddress(named, 'recipient.walletAddress', chain)
  const looks = { name, description, imageUrl }
  return {
    collection: {
      id: collectionId,
      chain,
      ...looks,
      price,
      priceCurrency: currency,
      requires,
      isChainEnabled,
      ...(collection.sale && { sale: collection.sale }),
      availableCount: count('', collection.supply),
    },
    ...(copied &&
      templateId !== undefined && {
        template: { ...looks, ...copied, id: templateId, availableCount: count(templateId, copied.supply) },
      }),
    quantity,
    callData,
    ...(walletAddress !== undefined && { walletAddress }),
    ...findSold(world, asked, collection, walletAddress),
  }
}

/** Prices the requested terms. */
const price = (world: TestWorld, asked: AskedTerms, isFirst: boolean) => {
  const items = asked.items.map((item, index) => {
    const request = findLineItem(world, item, asked)
    if (isFirst) assertTotalPrice(request.collection, item, index)
    return request
  })
  const { payment, recipient, promotionCode } = asked
  const config = { quoteTtlMs: world.quoteTtlMs, salesTaxBasisPoints: 0, shippingUsd: '0', rates: testRates }
  return quoteOrder({ items, recipient, payment, promotionCode, nowMs: world.now() }, config)
}

/** Prices the requested terms, and prepares their payment. */
const quote = (world: TestWorld, asked: AskedTerms, isFirst: boolean): QuotedTerms => {
  const quoted = price(world, asked, isFirst)
  const { orderId, payment } = asked
  const funds = preparePayment(world, {
    orderId,
    quote: quoted.quote,
    payment: { ...payment, status: 'requires-quote' },
    payments: [],
  })
  return { ...quotedTerms(asked, quoted), ...(funds && { funds }) }
}

/** Returns an order as the service shows it to a caller. */
export const viewTestOrder = ({ now }: TestWorld, { order }: TestOrder, caller: Caller): Order =>
  viewOrder(order, now(), caller === 'server' ? 'merchant' : 'buyer')

/** How long the merchant may capture a payment, as the service has it by default. */
const captureMs = 168 * 3_600_000

const createOrder = (world: TestWorld, input: unknown, caller: Caller): Answer => {
  const body = parseInput(CreateOrderBody, input, 'body')
  const { capture } = body.payment
  if (capture !== undefined && caller !== 'server') {
    throw new HttpError(403, 'payment.capture: only a server key may set it')
  }
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
      ...(capture === 'manual' && { capture: { windowMs: captureMs } }),
    },
    clientSecret: `cs_${makeKey()}`,
    due: [],
    seen: new Set(),
    refundedAtMs: new Map(),
    contractTxIds: new Set(),
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

const assertEditable = ({ order }: TestOrder): void => {
  const refusal = explainUneditable(order)
  if (refusal !== undefined) throw new HttpError(409, refusal)
}

const requote = (world: TestWorld, record: TestOrder, change?: TermsChange): void => {
  assertEditable(record)
  const terms = quote(world, changeTerms(record.order, change ?? {}), false)
  if (change?.promotionCode != null) assertPromoted(terms)
  const atMs = world.now()
  const claims = isClaim(record.order, change)
  applyEvent(world, record, { event: { type: 'quoted', terms }, atMs })
  if (claims) applyEvent(world, record, { event: { type: 'claim-requested' }, atMs })
}

/** Names where refunds go, and sends those that are held until an address is named. */
const nameRefundAddress = (world: TestWorld, record: TestOrder, address: string, caller: Caller): void => {
  const isMerchant = caller === 'server'
  const read = (chain: string) => parseChainAddress(chain, address)
  const explain = (chain: string) => explainChainAddress(address, chain)
  const planned = planRefundAddress(record.order, { isMerchant, read, explain })
  if ('refusal' in planned) throw new HttpError(409, planned.refusal)
  const atMs = world.now()
  for (const event of planned) {
    applyEvent(world, record, { event, atMs })
    if (event.type === 'refund-retried') record.due.push(planRefundSend(world, record, event.refundId, atMs))
  }
}

const editOrder = (world: TestWorld, record: TestOrder, input: unknown, caller: Caller): void => {
  const { locale, recipient, payment, promotionCode } = parseInput(EditOrderBody, input, 'body')
  if (payment && !isPaymentInput(payment)) {
    const { refundAddress = '' } = payment
    nameRefundAddress(world, record, refundAddress, caller)
    return
  }
  requote(world, record, {
    ...(locale && { locale }),
    ...(recipient && { recipient: readRecipient(recipient) }),
    ...(payment && { payment: readPayment(world, payment) }),
    ...(promotionCode !== undefined && { promotionCode }),
  })
}

const OptionsQuery = z.object({ payerAddress: z.optional(WalletAddress) })

/** Lists the chains that an order may be paid on, and the payer in each chain's own form, if there is one. */
const listPlaces = ({ enabled }: TestWorld, { payment }: OrderState, named: string | undefined) => {
  const { chain: own, refundAddress } = payment
  const chains = enabled.filter((chain) => isSameNetworkKind(own, chain))
  const given = named ?? payment.payerAddress
  const places = chains
    .map((chain) => ({ chain, payer: given === undefined ? undefined : parseChainAddress(chain, given) }))
    .filter(({ payer }) => named === undefined || payer !== undefined)
  if (named !== undefined && !places.length) {
    throw invalid('payerAddress', explainChainAddress(named, ...chains))
  }
  return places.filter(
    ({ chain }) => refundAddress === undefined || parseChainAddress(chain, refundAddress) !== undefined,
  )
}

const listPaymentOptions = (world: TestWorld, record: TestOrder, query: URLSearchParams): Answer => {
  const { payerAddress } = parseInput(OptionsQuery, Object.fromEntries(query), 'query')
  assertEditable(record)
  const { order } = record
  const { payment, ...terms } = changeTerms(order, {})
  const { payerAddress: _, ...own } = payment
  const body = listPlaces(world, order, payerAddress).flatMap(({ chain, payer }) => {
    const currencies = listChainCurrencies(chain)
    const [native] = currencies
    return currencies.flatMap((currency) => {
      const way = { chain, ...currency, ...(payer !== undefined && { payerAddress: payer }) }
      const isKept = isQuotedIn(order, { ...way, payer }, world.now())
      const units = knownUnits(
        isKept ? order : price(world, { ...terms, payment: { ...own, ...way } }, false),
      )
      const estimate = units ? estimatePayment(world, way, { payer, units }) : undefined
      if (!units || !estimate || !native) return []
      return [viewPaymentOption({ chain, currency, native, units, estimate, rates: testRates })]
    })
  })
  return { status: 200, body }
}

const reportPayment = (world: TestWorld, record: TestOrder, input: unknown): void => {
  const { txId } = parseInput(ReportPaymentBody, input, 'body')
  applyEvent(world, record, { event: { type: 'payment-reported', txId }, atMs: world.now() })
}

const decide = (world: TestWorld, record: TestOrder, decision: CaptureDecision): void => {
  const atMs = world.now()
  const found = explainCapture(record.order, decision, atMs)
  if (found === 'done') return
  if (found !== 'due') throw new HttpError(409, found.refusal)
  const type = decision === 'capture' ? 'capture-requested' : 'void-requested'
  applyEvent(world, record, { event: { type }, atMs })
}

const viewTestRefund = (
  { order, refundedAtMs }: TestOrder,
  refund: OrderState['refunds'][number],
): Refund => {
  const createdAtMs = refundedAtMs.get(refund.id)
  return viewRefund(order, refund, createdAtMs === undefined ? {} : { createdAtMs })
}

const createRefund = (world: TestWorld, record: TestOrder, input: unknown): Answer => {
  const plan = planRefund(record.order, parseInput(CreateRefundBody, input, 'body'))
  const refuse = (message: string) => new HttpError(409, message)
  if ('refusal' in plan) throw refuse(plan.refusal)
  const { reason } = parseInput(CreateRefundBody, input, 'body')
  const request = { shares: plan, ...(reason !== undefined && { reason }) }
  const { length } = record.order.refunds
  applyEvent(world, record, { event: { type: 'refund-requested', request }, atMs: world.now() })
  const refund = record.order.refunds[length]
  if (!refund) throw refuse(`The refund was not started: ${explainLeft(record.order)}`)
  return { status: 201, body: viewTestRefund(record, refund) }
}

const listRefunds = (record: TestOrder, query: URLSearchParams): Answer => {
  const shown = readPage(query)(record.order.refunds)
  return { status: 200, body: { data: shown.map((refund) => viewTestRefund(record, refund)) } }
}

const getRefund = (record: TestOrder, refundId: string): Answer => {
  const refund = record.order.refunds.find(({ id }) => id === refundId)
  if (!refund) throw notFound()
  return { status: 200, body: viewTestRefund(record, refund) }
}

const viewTestShipment = ({ order }: TestOrder, shipmentId: string): Shipment => {
  const found = order.shipments?.find(({ id }) => id === shipmentId)
  if (!found) throw notFound()
  return viewShipment(order, found, 'merchant')
}

const createShipment = (world: TestWorld, record: TestOrder, input: unknown): Answer => {
  const asked = parseInput(CreateShipmentBody, input, 'body')
  const plan = planShipment(record.order, asked)
  if ('refusal' in plan) throw new HttpError(409, plan.refusal)
  const { carrier, trackingNumber, trackingUrl } = asked
  const id = toUuid(makeKey())
  const shipment = {
    id,
    carrier,
    lineItems: plan,
    ...(trackingNumber !== undefined && { trackingNumber }),
    ...(trackingUrl !== undefined && { trackingUrl }),
  }
  applyEvent(world, record, { event: { type: 'shipment-created', shipment }, atMs: world.now() })
  return { status: 201, body: viewTestShipment(record, id) }
}

const cancelShipment = (world: TestWorld, record: TestOrder, shipmentId: string, input: unknown): Answer => {
  const { reason } = parseInput(CancelShipmentBody, input, 'body')
  if (explainCancel(record.order, shipmentId) === 'not-found') throw notFound()
  const event = { type: 'shipment-cancelled', shipmentId, ...(reason !== undefined && { reason }) } as const
  applyEvent(world, record, { event, atMs: world.now() })
  return { status: 200, body: viewTestShipment(record, shipmentId) }
}

/** Finds an order, and applies all events that are due. */
export const findTestOrder = (world: TestWorld, orderId: string): TestOrder | undefined => {
  const record = world.orders.get(orderId)
  if (record) progress(world, record)
  return record
}

const Query = z.extend(CursorQuery, { sort: z.optional(z.enum(orderSorts)) })

/** Reads a cursor: the number of orders before the page. */
const readCursor = (text: string | undefined): number => {
  if (text === undefined) return 0
  const place = /^from-(\d+)$/.exec(text)?.[1]
  if (!place) throw new InvalidInput(wrongCursor)
  return Number(place)
}

const listOrders = (world: TestWorld, query: URLSearchParams): Answer => {
  const { cursor, limit, sort } = parseInput(Query, Object.fromEntries(query), 'query')
  const from = readCursor(cursor)
  const size = Number(limit)
  const ids = [...world.orders.keys()]
  if (sort !== 'oldest') ids.reverse()
  const data = ids.slice(from, from + size).flatMap((orderId) => {
    const record = findTestOrder(world, orderId)
    return record ? [viewTestOrder(world, record, 'server')] : []
  })
  return {
    status: 200,
    body: {
      data,
      ...(ids.length > from + size && { nextCursor: `from-${from + size}` }),
      ...(from > 0 && { previousCursor: `from-${Math.max(0, from - size)}` }),
    },
  }
}

const body = (call: ServiceCall): unknown => parseBody(call.text)

/** The operations of one order. */
const verbs = {
  getOrder: () => {},
  editOrder: (world, record, call, caller) => editOrder(world, record, body(call), caller),
  refreshOrder: (world, record) => requote(world, record),
  captureOrder: (world, record) => decide(world, record, 'capture'),
  voidOrder: (world, record) => decide(world, record, 'void'),
  reportPayment: (world, record, call) => reportPayment(world, record, body(call)),
} satisfies Record<string, (world: TestWorld, record: TestOrder, call: ServiceCall, caller: Caller) => void>

const rows = {
  listOrders: operations.listOrders,
  createOrder: operations.createOrder,
  getOrder: operations.getOrder,
  editOrder: operations.editOrder,
  refreshOrder: operations.refreshOrder,
  reportPayment: operations.reportPayment,
  listPaymentOptions: operations.listPaymentOptions,
  captureOrder: operations.captureOrder,
  voidOrder: operations.voidOrder,
  createRefund: operations.createRefund,
  listRefunds: operations.listRefunds,
  getRefund: operations.getRefund,
  createShipment: operations.createShipment,
  cancelShipment: operations.cancelShipment,
}

/** Answers a call about orders. Returns `undefined` if the path is not one of an order. */
export const answerOrderRequest = (
  world: TestWorld,
  memory: ServiceMemory,
  call: ServiceCall,
): Answer | Promise<Answer> | undefined => {
  const found = findTestOperation(rows, call)
  if (!found) return undefined
  const { name, params } = found
  const { scope } = rows[name]
  if (name === 'listOrders') {
    identify(memory, call, scope)
    return listOrders(world, call.query)
  }
  if (name === 'createOrder') {
    const caller = identify(memory, call, scope)
    return once(memory, call, caller, () => createOrder(world, body(call), caller))
  }
  const orderId = decodeURIComponent(params.orderId ?? '').toLowerCase()
  if (!isUuid(orderId)) throw notFound()
  const isSecret = (secret: string): boolean => world.orders.get(orderId)?.clientSecret === secret
  const caller = identify(memory, call, scope, 'isSecretAccepted' in rows[name] ? isSecret : undefined)
  return once(memory, call, `${caller} ${orderId}`, () => {
    const record = findTestOrder(world, orderId)
    if (!record) throw notFound()
    if (name === 'listPaymentOptions') return listPaymentOptions(world, record, call.query)
    if (name === 'createRefund') return createRefund(world, record, body(call))
    if (name === 'listRefunds') return listRefunds(record, call.query)
    if (name === 'getRefund') return getRefund(record, decodeURIComponent(params.refundId ?? ''))
    if (name === 'createShipment') return createShipment(world, record, body(call))
    if (name === 'cancelShipment') {
      const shipmentId = decodeURIComponent(params.shipmentId ?? '').toLowerCase()
      return cancelShipment(world, record, shipmentId, call.text.trim() ? body(call) : {})
    }
    verbs[name](world, record, call, caller)
    return { status: 200, body: viewTestOrder(world, record, caller) }
  })
}
