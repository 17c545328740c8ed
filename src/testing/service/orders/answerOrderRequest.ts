import { parseBody } from '../../../engine/http/parseBody.js'
import * as operations from '../../../schema/operations.js'
import { createAuthorization } from '../authorizations.js'
import { type Caller, identify, once, type Service } from '../caller.js'
import type { Answer, ServiceCall } from '../http.js'
import { findTestOperation, notFound } from '../http.js'
import type { TestOrder, TestWorld } from '../testWorld.js'
import { isUuid } from '../toUuid.js'
import { createOrder, decide, editOrder, reportPayment, requote } from './changeOrder.js'
import { listPaymentMethods, listPaymentOptions } from './paymentOptions.js'
import { findTestOrder, listOrders, viewTestOrder } from './readOrders.js'
import { createRefund, getRefund, listRefunds } from './refunds.js'
import { cancelShipment, createShipment } from './shipments.js'

const body = ({ text }: ServiceCall): unknown => parseBody(text)

type Verb = (world: TestWorld, call: ServiceCall, caller: Caller) => Answer | Promise<Answer>

/** The operations that are about no order, or a new one. */
const verbs = {
  createOrder: (world, call, caller) => createOrder(world, body(call), caller),
  listOrders: (world, { query }) => listOrders(world, query),
  listPaymentMethods: (world) => listPaymentMethods(world),
} satisfies Record<string, Verb>

/** An order that a call is about, with who calls and the other ids in the path. */
type OnOrder = {
  world: TestWorld
  record: TestOrder
  call: ServiceCall
  caller: Caller
  ids: Readonly<Record<string, string>>
}

/** Answers with the order as it is after a change. */
const changed =
  (change: (on: OnOrder) => void) =>
  (on: OnOrder): Answer => {
    change(on)
    return { status: 200, body: viewTestOrder(on.world, on.record, on.caller) }
  }

/** The operations on one order. */
const orderVerbs = {
  getOrder: changed(() => {}),
  editOrder: changed(({ world, record, call, caller }) =>
    editOrder(world, record, { input: body(call), caller }),
  ),
  refreshOrder: changed(({ world, record }) => requote(world, record)),
  captureOrder: changed(({ world, record }) => decide(world, record, 'capture')),
  voidOrder: changed(({ world, record }) => decide(world, record, 'void')),
  createAuthorization: ({ world, record, call }) => createAuthorization(world, record, body(call)),
  reportPayment: changed(({ world, record, call }) => reportPayment(world, record, body(call))),
  listPaymentOptions: ({ world, record, call }) => listPaymentOptions(world, record, call.query),
  createRefund: ({ world, record, call }) => createRefund(world, record, body(call)),
  listRefunds: ({ record, call }) => listRefunds(record, call.query),
  getRefund: ({ record, ids }) => getRefund(record, ids.refundId ?? ''),
  createShipment: ({ world, record, call }) => createShipment(world, record, body(call)),
  cancelShipment: ({ world, record, call, ids }) => {
    const input = call.text.trim() ? body(call) : {}
    return cancelShipment(world, record, { shipmentId: (ids.shipmentId ?? '').toLowerCase(), input })
  },
} satisfies Record<string, (on: OnOrder) => Answer | Promise<Answer>>

type Name = keyof typeof verbs | keyof typeof orderVerbs

type Rows = Pick<typeof operations, Name>

const table: Rows = operations
const names = Object.keys({ ...verbs, ...orderVerbs }) as Name[]
const rows = Object.fromEntries(names.map((name) => [name, table[name]])) as Rows

const isOnOrder = (name: Name): name is keyof typeof orderVerbs => name in orderVerbs

/** Answers a call about orders. Returns `undefined` if the path is not one of an order. */
export const answerOrderRequest = (
  { world, memory }: Service,
  call: ServiceCall,
): Answer | Promise<Answer> | undefined => {
  const found = findTestOperation(rows, call)
  if (!found) return undefined
  const { name, params } = found
  const [scope = ''] = [rows[name].scope].flat()
  if (!isOnOrder(name)) {
    const caller = identify(memory, call, { scope })
    return once(memory, { call, caller }, () => verbs[name](world, call, caller))
  }
  const ids = Object.fromEntries(Object.entries(params).map(([id, text]) => [id, decodeURIComponent(text)]))
  const orderId = (ids.orderId ?? '').toLowerCase()
  if (!isUuid(orderId)) throw notFound()
  const isSecret = (secret: string): boolean => world.orders.get(orderId)?.clientSecret === secret
  const caller = identify(memory, call, {
    scope,
    isSecret: 'isSecretAccepted' in rows[name] ? isSecret : undefined,
  })
  return once(memory, { call, caller: `${caller} ${orderId}` }, () => {
    const record = findTestOrder(world, orderId)
    if (!record) throw notFound()
    return orderVerbs[name]({ world, record, call, caller, ids })
  })
}
