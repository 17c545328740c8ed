import type { Address } from 'viem'
import * as z from 'zod/mini'
import { makeKey } from '../../api/makeKey.js'
import { parseAddress } from '../../engine/evm/parseAddress.js'
import { isEditable } from '../../engine/order/applyQuote.js'
import { newOrder } from '../../engine/order/newOrder.js'
import type { PaymentTerms, QuotedTerms } from '../../engine/order/order.js'
import { type LineItemRequest, quoteOrder } from '../../engine/order/quote.js'
import {
  type AskedItem,
  type AskedTerms,
  assertTotalPrice,
  changeTerms,
  quotedTerms,
  readLineItems,
  readRecipient,
  type TermsChange,
} from '../../engine/order/terms.js'
import { viewOrder } from '../../engine/order/view.js'
import { parseInput } from '../../engine/parseInput.js'
import { chainFamilyOf, isEvmChainName } from '../../schema/chains.js'
import { CreateOrderBody } from '../../schema/createOrder.js'
import { EditOrderBody } from '../../schema/editOrder.js'
import * as operations from '../../schema/operations.js'
import type { Order } from '../../schema/order.js'
import { type PaymentInput, ReportPaymentBody } from '../../schema/paymentInput.js'
import { listCurrencies, testRates } from '../network.js'
import { type Caller, identify, once, type ServiceMemory } from './caller.js'
import type { Answer, ServiceCall } from './http.js'
import { badInput, findTestOperation, HttpError, notFound, readJson } from './http.js'
import { preparePayment } from './payment.js'
import { applyEvent, progress } from './progress.js'
import type { TestOrder, TestWorld } from './testWorld.js'
import { isUuid, toUuid } from './toUuid.js'

const readAddress = (text: string, field: string, chain: string): Address => {
  const address = parseAddress(text)
  if (address) return address
  throw badInput(`${field}: expected an address on ${chain}`)
}

const readPayment = (
  { enabled }: TestWorld,
  { method, currency, payerAddress, receiptEmail }: PaymentInput,
): PaymentTerms => {
  if (!chainFamilyOf(method)) throw badInput(`payment.method: no chain is called ${method}`)
  if (!isEvmChainName(method) || !enabled.includes(method)) {
    const list = enabled.join(', ')
    throw badInput(`payment.method: ${method} is not enabled on this service; enabled are ${list}`)
  }
  const currencies = listCurrencies(method)
  const known = currencies.find((one) => one.currency === currency.toLowerCase())
  if (!known) {
    const list = currencies.map((one) => one.currency).join(', ')
    throw badInput(`payment.currency: ${currency} is not known on ${method}; known are ${list}`)
  }
  return {
    chain: method,
    currency: known.currency,
    decimals: known.decimals,
    ...(receiptEmail !== undefined && { receiptEmail }),
    ...(payerAddress !== undefined && {
      payerAddress: readAddress(payerAddress, 'payment.payerAddress', method),
    }),
  }
}

/** Finds a requested item's collection and template, with what is left of them. */
const findLineItem = (
  { collections, enabled }: TestWorld,
  { collectionId, templateId, quantity, callData }: AskedItem,
  { recipient }: Pick<AskedTerms, 'recipient'>,
): LineItemRequest => {
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
  const walletAddress = isChainEnabled ? recipient?.walletAddress : undefined
  const looks = { name, description, imageUrl }
  return {
    collection: {
      ...{ id: collectionId, chain, ...looks, price, priceCurrency: currency, requires, isChainEnabled },
      availableCount: count('', collection.supply),
    },
    ...(copied &&
      templateId !== undefined && {
        template: { ...looks, ...copied, id: templateId, availableCount: count(templateId, copied.supply) },
      }),
    quantity,
    callData,
    ...(walletAddress !== undefined && {
      walletAddress: readAddress(walletAddress, 'recipient.walletAddress', chain),
    }),
  }
}

/** Prices the requested terms, and prepares their payment. */
const quote = (world: TestWorld, asked: AskedTerms, isFirst: boolean): QuotedTerms => {
  const items = asked.items.map((item, index) => {
    const request = findLineItem(world, item, asked)
    if (isFirst) assertTotalPrice(request.collection, item, index)
    return request
  })
  const { orderId, payment, recipient } = asked
  const config = { quoteTtlMs: world.quoteTtlMs, salesTaxBasisPoints: 0, shippingUsd: '0', rates: testRates }
  const quoted = quoteOrder({ items, recipient, payment, nowMs: world.now() }, config)
  const funds = preparePayment(world, {
    orderId,
    quote: quoted.quote,
    payment: { ...payment, status: 'requires-quote' },
  })
  return { ...quotedTerms(asked, quoted), ...(funds && { funds }) }
}

/** Returns an order as the service shows it to a caller. */
export const viewTestOrder = ({ now }: TestWorld, { order }: TestOrder, caller: Caller): Order =>
  viewOrder(order, now(), caller === 'server' ? 'merchant' : 'buyer')

const createOrder = (world: TestWorld, input: unknown, caller: Caller): Answer => {
  const body = parseInput(CreateOrderBody, input, 'body')
  const payment = readPayment(world, body.payment)
  const items = readLineItems('kassa', body.lineItems)
  const { locale = 'en-US', metadata, gift } = body
  const recipient = readRecipient(body.recipient)
  const orderId = toUuid(makeKey())
  const asked: AskedTerms = {
    ...{ orderId, projectId: 'test', locale, recipient, payment, items },
    ...(metadata && { metadata }),
  }
  const terms = quote(world, asked, true)
  const record: TestOrder = {
    order: { ...newOrder(orderId, asked.projectId, terms), ...(gift && { gift }) },
    clientSecret: `cs_${makeKey()}`,
    due: [],
    seen: new Set(),
    failing: new Set(),
  }
  applyEvent(world, record, { event: { type: 'quoted', terms }, atMs: world.now() })
  world.orders.set(orderId, record)
  return {
    status: 201,
    body: { clientSecret: record.clientSecret, order: viewTestOrder(world, record, caller) },
  }
}

const requote = (world: TestWorld, record: TestOrder, change: TermsChange): void => {
  if (!isEditable(record.order)) {
    throw new HttpError(409, 'The order can no longer be changed: a payment was seen')
  }
  const terms = quote(world, changeTerms(record.order, change), false)
  applyEvent(world, record, { event: { type: 'quoted', terms }, atMs: world.now() })
}

const editOrder = (world: TestWorld, record: TestOrder, input: unknown): void => {
  const { locale, recipient, payment } = parseInput(EditOrderBody, input, 'body')
  requote(world, record, {
    ...(locale && { locale }),
    ...(recipient && { recipient: readRecipient(recipient) }),
    ...(payment && { payment: readPayment(world, payment) }),
  })
}

const reportPayment = (world: TestWorld, record: TestOrder, input: unknown): void => {
  const { txId } = parseInput(ReportPaymentBody, input, 'body')
  applyEvent(world, record, { event: { type: 'payment-reported', txId }, atMs: world.now() })
}

/** Finds an order, and applies all events that are due. */
export const findTestOrder = (world: TestWorld, orderId: string): TestOrder | undefined => {
  const record = world.orders.get(orderId)
  if (record) progress(world, record)
  return record
}

const Query = z.object({
  cursor: z.optional(z.string().check(z.minLength(1, 'expected a cursor'), z.maxLength(500, 'too long'))),
  limit: z._default(
    z.string().check(z.regex(/^([1-9]\d?|100)$/, 'expected a whole number from 1 to 100')),
    '30',
  ),
})

/** Reads a cursor: the number of orders before the page, newest first. */
const readCursor = (text: string | undefined): number => {
  if (text === undefined) return 0
  const place = /^from-(\d+)$/.exec(text)?.[1]
  if (!place) throw badInput('cursor: expected a nextCursor or previousCursor of this list')
  return Number(place)
}

const listOrders = (world: TestWorld, query: URLSearchParams): Answer => {
  const { cursor, limit } = parseInput(Query, Object.fromEntries(query), 'query')
  const from = readCursor(cursor)
  const size = Number(limit)
  const ids = [...world.orders.keys()].reverse()
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

const body = (call: ServiceCall): unknown => readJson(call.text)

/** The operations of one order. */
const verbs = {
  getOrder: () => {},
  editOrder: (world, record, call) => editOrder(world, record, body(call)),
  refreshOrder: (world, record) => requote(world, record, {}),
  reportPayment: (world, record, call) => reportPayment(world, record, body(call)),
} satisfies Record<string, (world: TestWorld, record: TestOrder, call: ServiceCall) => void>

const rows = {
  listOrders: operations.listOrders,
  createOrder: operations.createOrder,
  getOrder: operations.getOrder,
  editOrder: operations.editOrder,
  refreshOrder: operations.refreshOrder,
  reportPayment: operations.reportPayment,
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
  const caller = identify(memory, call, scope, isSecret)
  return once(memory, call, `${caller} ${orderId}`, () => {
    const record = findTestOrder(world, orderId)
    if (!record) throw notFound()
    verbs[name](world, record, call)
    return { status: 200, body: viewTestOrder(world, record, caller) }
  })
}
