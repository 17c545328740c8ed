import { notFound, readJson, refuseMethod } from './httpError.js'
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

type Verb = {
  scope: string
  run(world: TestWorld, order: TestOrder, call: ServiceCall): TestOrder
}

const body = (call: ServiceCall): unknown => readJson(call.text)

/** What can be done with one order, by method and the end of the path. */
const verbs: Readonly<Record<string, Verb>> = {
  'GET ': { scope: 'orders.read', run: (_world, order) => order },
  'PATCH ': { scope: 'orders.update', run: (world, order, call) => editTestOrder(world, order, body(call)) },
  'POST /refresh': { scope: 'orders.update', run: (world, order) => refreshTestOrder(world, order) },
  'POST /payment': {
    scope: 'orders.update',
    run: (world, order, call) => reportTestPayment(world, order, body(call)),
  },
}

const path = /^\/2022-06-09\/orders(?:\/([^/]+)(\/refresh|\/payment)?)?\/?$/

const listMethods = (orderId: string | undefined, rest: string): string[] =>
  orderId === undefined
    ? ['GET', 'POST']
    : Object.keys(verbs).flatMap((name) => (name.endsWith(` ${rest}`) ? [name.split(' ', 1).join()] : []))

/** Answers a call about orders; undefined for a path that is of something else. */
export const answerOrderRequest = (
  world: TestWorld,
  memory: ServiceMemory,
  call: ServiceCall,
): Answer | Promise<Answer> | undefined => {
  const match = path.exec(call.path)
  if (!match) return undefined
  const [, given, rest = ''] = match
  const methods = listMethods(given, rest)
  if (!methods.includes(call.method)) throw refuseMethod(call.path, methods)
  if (given === undefined) {
    const caller = identify(memory, call, call.method === 'POST' ? 'orders.create' : 'orders.read')
    if (call.method === 'GET') return listTestOrders(world, call.query)
    return once(memory, call, caller, () => createTestOrder(world, body(call), caller))
  }
  const verb = verbs[`${call.method} ${rest}`]
  const orderId = decodeURIComponent(given).toLowerCase()
  if (!verb || !isUuid(orderId)) throw notFound()
  const isSecret = (secret: string): boolean => world.orders.get(orderId)?.clientSecret === secret
  const caller = identify(memory, call, verb.scope, isSecret)
  return once(memory, call, `${caller} ${orderId}`, () => {
    const order = findTestOrder(world, orderId)
    if (!order) throw notFound()
    return showTestOrder(world, verb.run(world, order, call), caller)
  })
}
