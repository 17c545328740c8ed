import Ajv from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { scopes } from '../../src/call.js'
import { nfts } from '../../src/db/tables/index.js'
import { ServiceError } from '../../src/errors.js'
import { createKey } from '../../src/keys/createKey.js'
import { createProject } from '../../src/projects/createProject.js'
import { breakValue } from '../helpers/breakValue.js'
import { createShop, type Shop, testPayer } from '../helpers/createShop.js'
import { type Components, fromSchema, type JsonSchema } from '../helpers/fromSchema.js'

type Parameter = { in: 'path' | 'query' | 'header'; name: string; required: boolean; schema: JsonSchema }
type Answers = Record<string, { content?: { 'application/json': { schema: JsonSchema } } }>
type Operation = {
  operationId: string
  parameters: Parameter[]
  requestBody?: { content: { 'application/json': { schema: JsonSchema } } }
  responses: Answers
}
type Route = Operation & { method: string; path: string }
type Sent = { route: Route; path: string; query: string; headers: Record<string, string>; body?: unknown }

const Ids = z.looseObject({
  id: z.optional(z.string()),
  actionId: z.optional(z.string()),
  templateId: z.optional(z.string()),
})
const Document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.custom<Operation>())),
  components: z.looseObject({ schemas: z.custom<Components>() }),
})

/** What is asked for exists, or is somebody else's, or is nobody's. */
type KnownIds = Record<'collectionId' | 'nftId' | 'templateId' | 'actionId' | 'orderId', string>

const written = [
  'actions',
  'chain_transactions',
  'collections',
  'mails',
  'nfts',
  'orders',
  'templates',
  'wallet_transactions',
  'wallets',
]

let shop: Shop
let routes: Route[]
let components: Components
let known: KnownIds
let foreignKey: string
let poorKey: string
const ajv = new Ajv.default({ strict: false, allErrors: false, validateFormats: true })
addFormats.default(ajv)

const post = async (path: string, body: unknown, key?: string): Promise<z.infer<typeof Ids>> => {
  const options = { body, ...(key !== undefined && { key }) }
  const response = await shop.send('POST', `/api/2022-06-09${path}`, options)
  return z.parse(Ids, await response.json())
}

beforeAll(async () => {
  shop = await createShop({
    network: {
      safeFetch: async (url) => {
        if (/private|127\./.test(url)) {
          throw new ServiceError('input-invalid', 'leads to an address that is not public')
        }
        return { bytes: new TextEncoder().encode(url), contentType: 'image/png' }
      },
    },
  })
  const response = await shop.app.request('/openapi.json')
  const document = z.parse(Document, await response.json())
  components = document.components.schemas
  ajv.addSchema({ ...document, $id: 'document' })
  routes = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ ...operation, method, path })),
  )
  const image = 'ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'
  const { templateId = '' } = await post('/collections/prints/templates', {
    metadata: { name: 'Print', image },
  })
  const minted = await post('/collections/prints/nfts', {
    recipient: 'email:ada@example.com:base-sepolia',
    templateId,
  })
  // No job runs here, so that whatever is written was written by a request: the mint is over all the same.
  await shop.deps.db.update(nfts).set({ status: 'success', owner: testPayer, txId: `0x${'1'.repeat(64)}` })
  const { orderId } = await shop.createOrder()
  known = {
    collectionId: 'prints',
    nftId: minted.id ?? '',
    templateId,
    actionId: minted.actionId ?? '',
    orderId,
  }
  const { environment } = shop.deps.config
  const projectId = await createProject(shop.deps.db, 'another')
  const shared = { environment, kind: 'server' as const, origins: [] }
  foreignKey = await createKey(shop.deps, { ...shared, projectId, scopes })
  poorKey = await createKey(shop.deps, { ...shared, projectId: shop.projectId, scopes: ['users.read'] })
})
afterAll(() => shop.close())

const garbage = () =>
  fc.oneof(
    fc.constantFrom('nothing', '...', '%00', '%E0%A4%A', 'a:b', '-', "'", '🙂', 'x'.repeat(3000)),
    fc.string({ maxLength: 20 }).map((text) => text.replaceAll(/^\.+$|\//g, '') || 'x'),
  )

const fillPath = (route: Route, isBroken: boolean): fc.Arbitrary<string> => {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const values = names.map((name) => {
    const exists = fc.constant(Object.entries(known).find(([id]) => id === name)?.[1] ?? '')
    const schema = route.parameters.find((parameter) => parameter.name === name)?.schema ?? {}
    const possible = fromSchema(schema, components).map(String)
    const any: fc.Arbitrary<string> = isBroken
      ? fc.oneof(exists, garbage())
      : fc.oneof({ arbitrary: exists, weight: 4 }, { arbitrary: possible, weight: 1 })
    return any.map((value) => (/^%[0-9A-F]/.test(value) ? value : encodeURIComponent(value)))
  })
  return fc
    .tuple(...values)
    .map((filled) =>
      names.reduce((path, name, at) => path.replace(`{${name}}`, filled[at] ?? ''), route.path),
    )
}

const fillQuery = (route: Route, isBroken: boolean): fc.Arbitrary<string> => {
  const fields = route.parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) => [
      name,
      isBroken ? fc.oneof(fromSchema(schema, components), garbage()) : fromSchema(schema, components),
    ])
  return fc
    .record(Object.fromEntries(fields), { requiredKeys: [] })
    .map((query) =>
      new URLSearchParams(
        Object.entries(query).map(([name, value]): [string, string] => [name, `${value}`]),
      ).toString(),
    )
}

/** Locators and addresses that exist, here and there: what a schema allows is seldom what there is. */
const realistic = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (key, value) => {
    if (key === 'recipient' && typeof value === 'string') return 'userId:ada:base-sepolia'
    if (key === 'collectionLocator' && typeof value === 'string') return 'kassa:prints'
    if (key === 'templateId') return known.templateId
    if (key === 'chain' && value !== 'solana' && value !== 'aptos') return 'base-sepolia'
    if (key === 'method') return 'base-sepolia'
    if (key === 'currency') return 'eth'
    // What may be left out is left out where it has to fit something else.
    if (/^(totalPrice|transferable|compressed|onChain|subscription)$/.test(key)) return undefined
    if (/^(walletAddress|payerAddress|recipientAddress)$/.test(key)) return testPayer
    return value
  })

const keys = () =>
  fc.constantFrom<(() => Record<string, string>)[]>(
    () => ({}),
    () => ({ 'x-api-key': '' }),
    () => ({ 'x-api-key': 'sk_staging_malformed' }),
    () => ({ 'x-api-key': poorKey }),
    () => ({ 'x-api-key': foreignKey }),
    () => ({ 'x-api-key': shop.clientKey, origin: 'https://elsewhere.example' }),
    () => ({ authorization: 'Bearer cs_nothing' }),
    () => ({ 'x-api-key': shop.serverKey, 'x-idempotency-key': 'x'.repeat(300) }),
    () => ({ 'x-api-key': shop.serverKey, 'if-none-match': '"nothing"' }),
  )

const toRoute = (route: Route, isBroken: boolean): fc.Arbitrary<Sent> => {
  const schema = route.requestBody?.content['application/json'].schema
  const allowed = schema ? fromSchema(schema, components) : fc.constant(undefined)
  const body = allowed.chain((value) => {
    if (value === undefined) return fc.constant(value)
    const usual = realistic(value)
    if (!isBroken) return fc.constantFrom(value, usual)
    return fc.oneof(
      { arbitrary: breakValue(usual), weight: 8 },
      { arbitrary: fc.constantFrom('', '{', '[]', 'null', '"text"', '{"a":}'), weight: 1 },
    )
  })
  const headers = isBroken
    ? fc.oneof(
        { arbitrary: fc.constant(() => ({ 'x-api-key': shop.serverKey })), weight: 5 },
        { arbitrary: keys(), weight: 1 },
      )
    : fc.constant(() => ({ 'x-api-key': shop.serverKey }))
  return fc.record({
    route: fc.constant(route),
    path: fillPath(route, isBroken),
    query: fillQuery(route, isBroken),
    headers: headers.map(
      (make): Record<string, string> => ({ 'content-type': 'application/json', ...make() }),
    ),
    body,
  })
}

const request = (isBroken: boolean): fc.Arbitrary<Sent> =>
  fc.oneof(...routes.map((route) => toRoute(route, isBroken)))

const count = async (): Promise<string> => {
  const counts = written.map((table) => sql`select count(*) as n from ${sql.identifier(table)}`)
  const { rows } = (await shop.deps.db.execute(sql.join(counts, sql` union all `))) as unknown as {
    rows: { n: unknown }[]
  }
  return rows.map(({ n }) => String(n)).join()
}

const pointer = (route: Route, status: number) => {
  const steps = [
    'paths',
    route.path,
    route.method,
    'responses',
    `${status}`,
    'content',
    'application/json',
    'schema',
  ]
  const path = steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
  return `document#/${path.join('/')}`
}

const seen = new Map<string, number>()

/** Sends a request and holds the answer against the document. */
const check = async ({ route, path, query, headers, body }: Sent): Promise<number> => {
  const { method, operationId } = route
  const before = await count()
  const response = await shop.app.request(`/api${path}${query && `?${query}`}`, {
    method: method.toUpperCase(),
    headers,
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const { status } = response
  const text = await response.text()
  const told = `${operationId} answered ${status}: ${text.slice(0, 500)}`
  seen.set(`${operationId} ${status}`, (seen.get(`${operationId} ${status}`) ?? 0) + 1)
  expect(status, told).not.toBe(500)
  expect(Object.keys(route.responses), told).toContain(`${status}`)
  const validate = ajv.getSchema(pointer(route, status))
  if (!validate) throw new Error(`the document says nothing of ${told}`)
  expect(validate(JSON.parse(text)), `${told}: ${ajv.errorsText(validate.errors)}`).toBe(true)
  if (status >= 400) {
    expect(text, told).not.toMatch(/node_modules|\bat \S+:\d+|select .* from|sk_staging_|cs_/i)
    expect(await count(), `${told}, and something was written`).toBe(before)
  }
  return status
}

const runs = (numRuns: number) => ({ numRuns, seed: 20_260_101, endOnFailure: true })

test('default: what the document allows is answered as it says', async () => {
  await fc.assert(
    fc.asyncProperty(request(false), async (sent) => void (await check(sent))),
    runs(1500),
  )
}, 600_000)

test('error: what it does not allow is refused as it says, and nothing is written', async () => {
  await fc.assert(
    fc.asyncProperty(request(true), async (sent) => void (await check(sent))),
    runs(3600),
  )
}, 900_000)

test('behavior: every operation was asked well and badly', () => {
  const answered = (operationId: string, isGood: boolean) =>
    [...seen].some(([name]) => {
      const [id, status = ''] = name.split(' ')
      return id === operationId && isGood === status < '300'
    })
  const missing = routes.flatMap(({ operationId }) =>
    [true, false]
      .filter((isGood) => !answered(operationId, isGood))
      .map((isGood) => `${operationId} ${isGood ? 'good' : 'bad'}`),
  )
  expect(missing).toEqual([])
})
