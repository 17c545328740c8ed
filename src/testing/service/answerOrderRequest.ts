import * as z from 'zod/mini'
import {
  createOrder,
  editOrder,
  getOrder,
  listOrders,
  refreshOrder,
  reportPayment,
} from '../../schema/operations.js'
import { findTestOperation } from './findTestOperation.js'
import { badInput, notFound, readInput, readJson } from './httpError.js'
import { identify, type ServiceCall, type ServiceMemory } from './identify.js'
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
import { viewTestOrder } from './viewTestOrder.js'

const Query = z.object({
  cursor: z.optional(z.string().check(z.minLength(1, 'expected a cursor'), z.maxLength(500, 'too long'))),
  limit: z._default(
    z.string().check(z.regex(/^([1-9]\d?|100)$/, 'expected a whole number from 1 to 100')),
    '30',
  ),
})

/** A place in the list: the orders that come before it, newest first. */
const readCursor = (text: string | undefined): number => {
  if (text === undefined) return 0
  const place = /^from-(\d+)$/.exec(text)?.[1]
  if (!place) throw badInput('cursor: expected a nextCursor or previousCursor of this list')
  return Number(place)
}

/** Lists every order, newest first, a page at a time. */
const listTestOrders = (world: TestWorld, query: URLSearchParams): Answer => {
  const { cursor, limit } = readInput(Query, Object.fromEntries(query), 'query')
  const from = readCursor(cursor)
  const size = Number(limit)
  const ids = [...world.orders.keys()].reverse()
  const data = ids.slice(from, from + size).flatMap((orderId) => {
    const order = findTestOrder(world, orderId)
    return order ? [viewTestOrder(order, world.now(), 'server')] : []
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
