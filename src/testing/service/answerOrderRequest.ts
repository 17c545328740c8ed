import {
  createOrder,
  editOrder,
  getOrder,
  listOrders,
  refreshOrder,
  reportPayment,
} from '../../schema/operations.js'
import { findTestOperation } from './findTestOperation.js'
import { notFound, readJson } from './httpError.js'
import { identify, type ServiceCall, type ServiceMemory } from './identify.js'
import { listTestOrders } from './listTestOrders.js'
import { once } from './once.js'
import {
  type Answer,
  createTestOrder,
  editTestOrder,
  findTestOrder,
  refreshTestOrder,
  reportTestPayment,
  showTestOrder,
} from './orderVerbs.js'
import type { TestOrder } from './testOrder.js'
import type { TestWorld } from './testWorld.js'
import { isUuid } from './toUuid.js'

type Verb = (world: TestWorld, order: TestOrder, call: ServiceCall) => TestOrder

const body = (call: ServiceCall): unknown => readJson(call.text)

/** What can be done with one order. */
const verbs = {
  getOrder: (_world, order) => order,
  editOrder: (world, order, call) => editTestOrder(world, order, body(call)),
  refreshOrder: (world, order) => refreshTestOrder(world, order),
  reportPayment: (world, order, call) => reportTestPayment(world, order, body(call)),
} satisfies Record<string, Verb>

const rows = { listOrders, createOrder, getOrder, editOrder, refreshOrder, reportPayment }

/** Answers a call about orders; undefined for a path that is of something else. */
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
    return listTestOrders(world, call.query)
  }
  if (name === 'createOrder') {
    const caller = identify(memory, call, scope)
    return once(memory, call, caller, () => createTestOrder(world, body(call), caller))
  }
  const orderId = decodeURIComponent(params.orderId ?? '').toLowerCase()
  if (!isUuid(orderId)) throw notFound()
  const isSecret = (secret: string): boolean => world.orders.get(orderId)?.clientSecret === secret
  const caller = identify(memory, call, scope, isSecret)
  return once(memory, call, `${caller} ${orderId}`, () => {
    const order = findTestOrder(world, orderId)
    if (!order) throw notFound()
    return showTestOrder(world, verbs[name](world, order, call), caller)
  })
}
