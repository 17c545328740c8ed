import { listTestOrders } from './listTestOrders.js'
import {
  type Answer,
  createTestOrder,
  editTestOrder,
  findTestOrder,
  getTestOrder,
  refreshTestOrder,
  reportTestPayment,
} from './orderVerbs.js'
import { badInput, Refusal, readJson } from './refusal.js'
import type { TestOrder } from './testOrder.js'
import type { TestWorld } from './testWorld.js'

/** A call of the service, taken apart. `path` is below the base URL. */
export type ServiceCall = {
  method: string
  path: string
  query: URLSearchParams
  /** By lower-case name. */
  headers: ReadonlyMap<string, string>
  text: string
}

/** What {@link answerRequest} remembers: the keys that open the service, and answers that were asked for by a key. */
export type ServiceMemory = {
  serverKey: string
  clientKey: string
  answers: Map<string, { text: string; answer: Answer }>
}

type Verb = {
  scope: string
  run(world: TestWorld, order: TestOrder, call: ServiceCall): Answer
}

const body = (call: ServiceCall): unknown => readJson(call.text)

/** What can be done with one order, by method and the end of the path. */
const verbs: Readonly<Record<string, Verb>> = {
  'GET ': { scope: 'orders.read', run: (world, order) => getTestOrder(world, order) },
  'PATCH ': { scope: 'orders.update', run: (world, order, call) => editTestOrder(world, order, body(call)) },
  'POST /refresh': { scope: 'orders.update', run: (world, order) => refreshTestOrder(world, order) },
  'POST /payment': {
    scope: 'orders.update',
    run: (world, order, call) => reportTestPayment(world, order, body(call)),
  },
}

const path = /^\/2022-06-09\/orders(?:\/([^/]+)(\/refresh|\/payment)?)?\/?$/
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const apiKey = /^(sk|ck)_(staging|production)_[A-Za-z0-9_-]{43}$/
const notFound = (): Refusal => new Refusal(404, 'Not found')

/** Who calls: a server, a browser with a client key, or the holder of an order's secret. */
type Caller = 'server' | 'client' | 'secret'

const checkKey = ({ serverKey, clientKey }: ServiceMemory, key: string): Caller => {
  const environment = apiKey.exec(key)?.[2]
  if (environment !== 'staging') {
    throw new Refusal(401, `X-API-KEY: this is a key of the ${environment} environment, not of staging`)
  }
  if (key === serverKey) return 'server'
  if (key === clientKey) return 'client'
  throw new Refusal(401, 'X-API-KEY: unknown API key')
}

const assertScope = (caller: Caller, scope: string): void => {
  if (caller === 'client' && scope !== 'orders.create') {
    throw new Refusal(403, `The API key lacks the scope ${scope}`)
  }
}

const identify = (
  memory: ServiceMemory,
  { headers }: ServiceCall,
  scope: string,
  /** Tells whether a secret is the order's; absent where no secret is accepted. */
  isSecret: ((secret: string) => boolean) | undefined,
): Caller => {
  const key = headers.get('x-api-key')
  const secret = headers
    .get('authorization')
    ?.replace(/^bearer\s+/i, '')
    .trim()
  if (key !== undefined && !apiKey.test(key)) throw new Refusal(401, 'X-API-KEY: malformed API key')
  if (isSecret && secret) {
    if (!isSecret(secret)) throw new Refusal(401, 'Authorization: not the client secret of this order')
    return 'secret'
  }
  const what = isSecret ? 'X-API-KEY or Authorization' : 'X-API-KEY'
  if (key === undefined) throw new Refusal(401, `${what}: required`)
  const caller = checkKey(memory, key)
  assertScope(caller, scope)
  return caller
}

/** Answers the same again where a call was made before under the same key. */
const once = (memory: ServiceMemory, call: ServiceCall, caller: string, run: () => Answer): Answer => {
  const key = call.method === 'POST' ? call.headers.get('x-idempotency-key') : undefined
  if (key === undefined) return run()
  if (!key || key.length > 255) throw badInput('x-idempotency-key: expected 1 to 255 characters')
  const id = JSON.stringify([caller, call.path, key])
  const known = memory.answers.get(id)
  if (known && known.text !== call.text) {
    throw new Refusal(409, 'x-idempotency-key: already used with another body')
  }
  const answer = known?.answer ?? run()
  memory.answers.set(id, { text: call.text, answer })
  return answer
}

const listMethods = (orderId: string | undefined, rest: string): string[] =>
  orderId === undefined
    ? ['GET', 'POST']
    : Object.keys(verbs).flatMap((name) => (name.endsWith(` ${rest}`) ? [name.split(' ', 1).join()] : []))

/**
 * Answers a call as the service does.
 *
 * @throws Refusal with the status and the message of the real service.
 */
export const answerRequest = (world: TestWorld, memory: ServiceMemory, call: ServiceCall): Answer => {
  const match = path.exec(call.path)
  if (!match) throw notFound()
  const [, given, rest = ''] = match
  const methods = listMethods(given, rest)
  if (!methods.includes(call.method)) {
    throw new Refusal(404, `Not found: /api${call.path} takes ${methods.sort().join(', ')}`)
  }
  if (given === undefined) {
    const scope = call.method === 'POST' ? 'orders.create' : 'orders.read'
    const caller = identify(memory, call, scope, undefined)
    if (call.method === 'GET') return listTestOrders(world, call.query)
    return once(memory, call, caller, () => createTestOrder(world, body(call)))
  }
  const verb = verbs[`${call.method} ${rest}`]
  const orderId = decodeURIComponent(given).toLowerCase()
  if (!verb || !uuid.test(orderId)) throw notFound()
  const isSecret = (secret: string): boolean => world.orders.get(orderId)?.clientSecret === secret
  const caller = identify(memory, call, verb.scope, isSecret)
  return once(memory, call, `${caller} ${orderId}`, () => {
    const order = findTestOrder(world, orderId)
    if (!order) throw notFound()
    return verb.run(world, order, call)
  })
}
