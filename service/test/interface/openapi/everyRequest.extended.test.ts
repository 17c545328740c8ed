import { randomUUID } from 'node:crypto'
import Ajv from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { Collection, CreateOrderAnswer } from 'kassa/schema'
import { serializeTransaction } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { collections, mails, nfts } from '#base/db/tables/index.js'
import { ServiceError } from '#base/errors.js'
import { scopes } from '#base/scopes.js'
import { createKey } from '#identity/keys/apiKeys.js'
import { createProject } from '#identity/projects/projects.js'
import { addNotice } from '../../helpers/addNotice.js'
import { breakValue } from '../../helpers/breakValue.js'
import { createFakeChain } from '../../helpers/createFakeChain.js'
import { refusedData } from '../../helpers/createFakeWallets.js'
import { createShop, orderBody, type Shop, testPayer } from '../../helpers/createShop.js'
import { type FilledWallets, fillWallets } from '../../helpers/fillWallets.js'
import { type Components, fromSchema, type JsonSchema } from '../../helpers/fromSchema.js'
import { mintedToken } from '../../helpers/mintedToken.js'
import { isEventStream, readAnswer } from '../../helpers/readAnswer.js'
import { sellOrder } from '../../helpers/sellOrder.js'
import { uploadForm } from '../../helpers/uploadForm.js'

type Parameter = { in: 'path' | 'query' | 'header'; name: string; required: boolean; schema: JsonSchema }
type Answers = Record<string, { content?: { 'application/json': { schema: JsonSchema } } }>
type Operation = {
  operationId: string
  parameters: Parameter[]
  requestBody?: {
    content: { 'application/json'?: { schema: JsonSchema }; 'multipart/form-data'?: { schema: JsonSchema } }
  }
  responses: Answers
}
type Route = Operation & { method: string; path: string }
type Sent = {
  route: Route
  ids: Record<string, string>
  query: string
  headers: Record<string, string>
  body?: unknown
}

const Ids = z.looseObject({
  id: z.optional(z.string()),
  actionId: z.optional(z.string()),
  templateId: z.optional(z.string()),
  shipmentId: z.optional(z.string()),
  keyId: z.optional(z.string()),
  endpointId: z.optional(z.string()),
  eventId: z.optional(z.string()),
})
const Document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.custom<Operation>())),
  components: z.looseObject({ schemas: z.custom<Components>() }),
})

/** The resource exists, belongs to another project, or does not exist. */
type KnownIds = Record<
  | 'collectionId'
  | 'nftId'
  | 'templateId'
  | 'actionId'
  | 'orderId'
  | 'refundId'
  | 'mailId'
  | 'shipmentId'
  | 'keyId'
  | 'endpointId'
  | 'eventId'
  | 'walletLocator'
  | 'transactionId'
  | 'identifier'
  | 'nftLocator',
  readonly string[]
>

/** What any request may leave: that it was asked. */
const unwatched = ['idempotency_keys', 'rate_limits']

/** How many transactions there are to approve: each is approved once. */
const awaitingCount = 40

/** How many templates there are to delete, and tokens to burn: each is gone then. */
const spareCount = 40

/** How many orders there are to refund. */
const soldCount = 3

/** How many orders there are whose goods are shipped: the first, or can be: the others, once each. */
const goodsCount = 4
const physicalAddress = { name: 'Ada', line1: 'Sand 1', city: 'Dunes', postalCode: '12345', country: 'DE' }

let shop: Shop
let routes: Route[]
let components: Components
let known: KnownIds
let filled: FilledWallets
let approvals: Awaited<ReturnType<FilledWallets['awaiting'][number]['approve']>>[]
let notice: { eventId: string; orderId: string }
let shippable: { shippedId: string; shipmentId: string; unshippedIds: string[] }
let testedId: string
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
  const chain = createFakeChain({ now: Date.now })
  shop = await createShop({
    chains: [chain.port],
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
  const spareIds: string[] = []
  for (let count = 0; count < spareCount; count++) {
    const spare = await post('/collections/prints/templates', { metadata: { name: 'Spare', image } })
    if (spare.templateId) spareIds.push(spare.templateId)
  }
  const tokenIds: string[] = []
  for (let count = 0; count < spareCount; count++) {
    const spare = await post('/collections/prints/nfts', {
      recipient: 'email:ada@example.com:base-sepolia',
      metadata: { name: 'Spare', image },
    })
    if (spare.id) tokenIds.push(spare.id)
  }
  const minted = await post('/collections/prints/nfts', {
    recipient: 'email:ada@example.com:base-sepolia',
    templateId,
  })
  // No job runs here, so that whatever is written was written by a request: the mint is over all the same.
  await shop.deps.db.update(nfts).set({ status: 'success', owner: testPayer, txId: `0x${'1'.repeat(64)}` })
  const { orderId } = await shop.createOrder()
  const soldIds: string[] = []
  const refundIds: string[] = []
  for (let count = 0; count < soldCount; count++) {
    const sold = await shop.createOrder()
    await sellOrder(shop.deps, sold.orderId)
    await post(`/orders/${sold.orderId}/refunds`, { amount: '0.0001' })
    soldIds.push(sold.orderId)
    refundIds.push(`refund:${sold.orderId}:0`)
  }
  const decidedIds: string[] = []
  for (const decision of ['capture', 'void']) {
    const held = { ...orderBody, payment: { ...orderBody.payment, capture: 'manual' } }
    const answer = await shop.send('POST', '/api/2022-06-09/orders', { body: held })
    const { orderId: id } = z.parse(CreateOrderAnswer, await answer.json()).order
    await sellOrder(shop.deps, id)
    await post(`/orders/${id}/${decision}`, {})
    decidedIds.push(id)
  }
  const goods: string[] = []
  for (let count = 0; count < goodsCount; count++) {
    const recipient = { walletAddress: testPayer, physicalAddress }
    const answer = await shop.send('POST', '/api/2022-06-09/orders', { body: { ...orderBody, recipient } })
    const { orderId: id } = z.parse(CreateOrderAnswer, await answer.json()).order
    await sellOrder(shop.deps, id)
    goods.push(id)
  }
  const [shippedId = '', ...unshippedIds] = goods
  const { shipmentId = '' } = await post(`/orders/${shippedId}/shipments`, { carrier: 'DHL' })
  notice = await addNotice(shop, shippedId)
  shippable = { shippedId, shipmentId, unshippedIds }
  const mailIds = [orderId, ...soldIds].map(() => randomUUID())
  for (const [at, id] of mailIds.entries()) {
    await shop.deps.db.insert(mails).values({
      id,
      projectId: shop.projectId,
      orderId: [orderId, ...soldIds][at],
      recipient: 'ada@example.com',
      locale: 'en-US',
      kind: 'nft-minted',
      data: mintedToken,
      createdAt: new Date(),
    })
  }
  const endpointIds: string[] = []
  const keyIds: string[] = []
  for (let count = 0; count < spareCount; count++) {
    const endpoint = { url: 'https://shop.example/hook', eventTypes: ['nfts.delete.failed'] }
    endpointIds.push((await post('/webhook-endpoints', endpoint)).endpointId ?? '')
    keyIds.push((await post('/api-keys', { name: 'Spare', scopes: ['orders.read'] })).keyId ?? '')
  }
  testedId = endpointIds.pop() ?? ''
  const { eventId = '' } = await post(`/webhook-endpoints/${testedId}/test`, {})
  await shop.deps.db.update(collections).set({ contractTxId: `0x${'2'.repeat(64)}` })
  const prints = await shop.send('GET', '/api/2022-06-09/collections/prints')
  const contract = z.parse(Collection, await prints.json()).onChain.contractAddress ?? ''
  const token = { contract, tokenId: '7' }
  filled = await fillWallets({ shop, chain, key: shop.serverKey, name: 'ada', ...token, awaitingCount })
  const { owned, custodial, mpc, awaiting, pendingId } = filled
  for (const { tokenId } of await shop.deps.db.select().from(nfts)) {
    chain.wallets.mint({ contract, tokenId: `${tokenId}`, to: mpc.address })
  }
  known = {
    collectionId: ['prints'],
    nftId: [minted.id ?? '', ...tokenIds],
    templateId: [templateId, ...spareIds],
    actionId: [minted.actionId ?? ''],
    orderId: [orderId, ...soldIds, ...decidedIds],
    refundId: refundIds,
    mailId: mailIds,
    shipmentId: [shipmentId],
    keyId: keyIds,
    endpointId: endpointIds,
    eventId: [eventId],
    walletLocator: [
      owned.address,
      custodial.address.toLowerCase(),
      mpc.address,
      'userId:ada:evm-smart-wallet',
      'email:ADA@example.com:evm-smart-wallet',
      'x:ada:evm-mpc-wallet',
    ],
    transactionId: [pendingId, ...awaiting.map(({ id }) => id)],
    identifier: [`base-sepolia:${custodial.address}`, 'email:ada@example.com:base-sepolia'],
    nftLocator: [`base-sepolia:${contract}:7`],
  }
  approvals = await Promise.all(awaiting.map(({ approve }) => approve()))
  const { environment } = shop.deps.config
  const projectId = await createProject(shop.deps.db, 'another')
  const shared = { environment, kind: 'server' as const, origins: [] }
  foreignKey = await createKey(shop.deps, { ...shared, projectId, scopes })
  poorKey = await createKey(shop.deps, { ...shared, projectId: shop.projectId, scopes: ['users.read'] })
  // The first use of a key is recorded, and the next one not for an hour.
  for (const key of [shop.serverKey, shop.clientKey, foreignKey, poorKey]) {
    await shop.send('GET', '/api/2022-06-09/orders', { key })
  }
})
afterAll(() => shop.close())

/** Parts of a path that are sent as they are. The others are encoded. */
const encoded: readonly string[] = ['%00', '%E0%A4%A']

const garbage = () =>
  fc.oneof(
    fc.constantFrom('nothing', '...', ...encoded, 'a:b', '-', "'", '🙂', 'x'.repeat(3000)),
    fc.string({ maxLength: 20 }).map((text) => text.replaceAll(/^\.+$|\//g, '') || 'x'),
  )

const fillPath = (route: Route, isBroken: boolean): fc.Arbitrary<Record<string, string>> => {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const values = names.map((name) => {
    const exists = fc.constantFrom(...(Object.entries(known).find(([id]) => id === name)?.[1] ?? ['']))
    const schema = route.parameters.find((parameter) => parameter.name === name)?.schema ?? {}
    const possible = fromSchema(schema, components).map(String)
    const any: fc.Arbitrary<string> = isBroken
      ? fc.oneof(exists, garbage())
      : fc.oneof({ arbitrary: exists, weight: 4 }, { arbitrary: possible, weight: 1 })
    return [name, any] as const
  })
  return fc.record(Object.fromEntries(values))
}

const encode = (value: string): string => (encoded.includes(value) ? value : encodeURIComponent(value))

const pathOf = ({ route, ids }: Sent): string =>
  Object.entries(ids).reduce(
    (path, [name, value]) => path.replace(`{${name}}`, () => encode(value)),
    route.path,
  )

/** Hardly any text is a time, or an address. */
const realisticQuery = (name: string, schema: JsonSchema): fc.Arbitrary<unknown> => {
  const any = fromSchema(schema, components)
  if (name === 'payerAddress') return fc.constant(testPayer)
  const time = fc.constantFrom('2020-01-01T00:00:00Z', '2040-01-01')
  return /^created/.test(name) ? fc.oneof({ arbitrary: time, weight: 3 }, { arbitrary: any, weight: 1 }) : any
}

const fillQuery = (route: Route, isBroken: boolean): fc.Arbitrary<string> => {
  const fields = route.parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) => [
      name,
      isBroken ? fc.oneof(fromSchema(schema, components), garbage()) : realisticQuery(name, schema),
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
    if (/^(totalPrice|transferable|compressed|onChain|subscription|promotionCode)$/.test(key))
      return undefined
    if (/^(walletAddress|payerAddress|recipientAddress)$/.test(key)) return testPayer
    if (key === 'linkedUser') return `userId:${String(value).length % 7}`
    if (key === 'type') return String(value).replace('solana-', 'evm-')
    if (key === 'amount' && typeof value === 'number') return Math.trunc(value)
    if (key === 'token') return 'usdc'
    if (key === 'publicKey') return passkey
    if (key === 'url') return 'https://shop.example/hook'
    return value
  })

/** A point of P-256. */
const passkey = {
  x: '0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296',
  y: '0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5',
}

const transfer = [
  {
    type: 'function',
    name: 'transfer',
    stateMutability: 'nonpayable',
    outputs: [{ type: 'bool' }],
    inputs: [{ type: 'address' }, { type: 'uint256' }],
  },
]

const someCall = () => {
  const value = fc.constantFrom('0', '1')
  return fc.oneof(
    fc.record({
      to: fc.constant(testPayer),
      value,
      data: fc.constantFrom('0x', '0x12345678', refusedData),
    }),
    fc.record({
      address: fc.constant(testPayer),
      functionName: fc.constant('transfer'),
      abi: fc.constant(transfer),
      args: fc.constantFrom<unknown[]>([testPayer, '7'], [testPayer, 7], [testPayer]),
    }),
    fc.constant({
      transaction: serializeTransaction({ chainId: 84532, to: testPayer, value: 1n, type: 'eip1559' }),
    }),
  )
}

type Example = { ids: Record<string, string>; body: unknown }

/** The endpoint that no request removes, and the event that it received. */
const ofEvent = () =>
  fc.constant({ ids: { endpointId: testedId, eventId: known.eventId[0] ?? '' }, body: undefined })

/** Requests whose path and body belong together. */
const examples: Readonly<Record<string, () => fc.Arbitrary<Example>>> = {
  createApiKey: () =>
    fc.constantFrom(
      { ids: {}, body: { name: 'Server', scopes: ['orders.read', 'nfts.create'] } },
      { ids: {}, body: { name: 'Pages', kind: 'client', origins: ['https://shop.example'] } },
    ),
  getWebhookDelivery: ofEvent,
  listWebhookDeliveries: ofEvent,
  sendTestEvent: ofEvent,
  rotateWebhookSecret: () => fc.constant({ ids: { endpointId: testedId }, body: {} }),
  resendWebhook: ofEvent,
  createTransaction: () => {
    const { owned, custodial, mpc } = filled
    const chain = 'base-sepolia'
    const many = fc.array(someCall(), { minLength: 1, maxLength: 3 })
    return fc.oneof(
      fc.record({
        ids: fc.constantFrom(owned, custodial).map(({ address }) => ({ walletLocator: address })),
        body: many.map((calls) => ({ params: { calls, chain } })),
      }),
      fc.record({
        ids: fc.constant({ walletLocator: mpc.address }),
        body: someCall().map((call) => ({ params: { call, chain } })),
      }),
    )
  },
  putCollection: () =>
    fc.record({
      ids: fc.uuid().map((collectionId) => ({ collectionId })),
      body: fc.constant({ chain: 'base-sepolia', metadata: { name: 'Posters' } }),
    }),
  putTemplate: () =>
    fc.record({
      ids: fc.uuid().map((templateId) => ({ collectionId: 'prints', templateId })),
      body: fc.constant({ metadata: { name: 'Print', image: 'https://shop.example/print.png' } }),
    }),
  editOrder: () =>
    fc.record({
      ids: fc.constant({ orderId: known.orderId[0] ?? '' }),
      body: fc.constantFrom({ locale: 'de-DE' }, { recipient: { email: 'ada@example.com' } }),
    }),
  createShipment: () =>
    fc.record({
      ids: fc.constantFrom(...shippable.unshippedIds).map((orderId) => ({ orderId })),
      body: fc.constant({ carrier: 'DHL', trackingUrl: 'https://carrier.example/42' }),
    }),
  resendOrderWebhook: () =>
    fc.record({
      ids: fc.constant({ orderId: notice.orderId, eventId: notice.eventId }),
      body: fc.constant({}),
    }),
  cancelShipment: () =>
    fc.record({
      ids: fc.constant({ orderId: shippable.shippedId, shipmentId: shippable.shipmentId }),
      body: fc.constant({ reason: 'Still in the shop' }),
    }),
  approveTransaction: () =>
    fc.nat({ max: awaitingCount - 1 }).map((at) => ({
      ids: { walletLocator: filled.owned.address, transactionId: filled.awaiting[at]?.id ?? '' },
      body: { approvals: [approvals[at]] },
    })),
}

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
  const content = route.requestBody?.content ?? {}
  const isUpload = 'multipart/form-data' in content
  const schema = content['application/json']?.schema
  const allowed = schema ? fromSchema(schema, components) : fc.constant(undefined)
  const plain = fc.record({ ids: fillPath(route, isBroken), body: allowed })
  const example = examples[route.operationId]
  const whole: fc.Arbitrary<Example> = example
    ? fc.oneof({ arbitrary: plain, weight: 1 }, { arbitrary: example(), weight: 2 })
    : plain
  const forms = isBroken ? ['', 'file', uploadForm.body.replace('<svg', '<p')] : [uploadForm.body]
  const asked = whole.chain(({ ids, body }) =>
    fc.record({ ids: fc.constant(ids), body: isUpload ? fc.constantFrom(...forms) : spoil(body) }),
  )
  const spoil = (value: unknown) => {
    if (value === undefined) return fc.constant(value)
    const usual = realistic(value)
    if (!isBroken) return fc.constantFrom(value, usual)
    return fc.oneof(
      { arbitrary: breakValue(usual), weight: 8 },
      { arbitrary: fc.constantFrom('', '{', '[]', 'null', '"text"', '{"a":}'), weight: 1 },
    )
  }
  const headers = isBroken
    ? fc.oneof(
        { arbitrary: fc.constant(() => ({ 'x-api-key': shop.serverKey })), weight: 5 },
        { arbitrary: keys(), weight: 1 },
      )
    : fc.constant(() => ({ 'x-api-key': shop.serverKey }))
  const rest = fc.record({
    query: fillQuery(route, isBroken),
    headers: headers.map(
      (make): Record<string, string> => ({
        'content-type': 'application/json',
        ...(isUpload && uploadForm.headers),
        ...make(),
      }),
    ),
  })
  return fc.tuple(asked, rest).map(([asked, rest]) => ({ route, ...asked, ...rest }))
}

const isOfWallets = ({ path }: Pick<Route, 'path'>): boolean => /wallets|credentials/.test(path)

let stateQuery: string | undefined

/** All that is written, briefly: a row that is new, changed or gone changes its table's count or sum. */
const readState = async (): Promise<string> => {
  const { executeSql } = shop.database
  if (stateQuery === undefined) {
    const { rows } = await executeSql(
      `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
    )
    const tables = (rows as { name: string }[]).filter(({ name }) => !unwatched.includes(name))
    expect(tables.length).toBeGreaterThan(20)
    // Each version of a row has the number of the transaction that wrote it, which is higher than all before.
    stateQuery = tables
      .map(
        ({ name }) =>
          `select '${name} ' || count(*) || ' ' || coalesce(sum(xmin::text::bigint), 0) as state from "${name}"`,
      )
      .join(' union all ')
  }
  const { rows } = await executeSql(stateQuery)
  return (rows as { state: string }[]).map(({ state }) => state).join('\n')
}

/** All that is written since a request was refused. Nothing writes between two requests. */
let stateOfRefusal: string | undefined

const isCsv = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith('text/csv') ?? false

const pointer = (route: Route, response: Response) => {
  const described = isEventStream(response)
    ? ['text/event-stream', 'schema', 'contentSchema']
    : [isCsv(response) ? 'text/csv' : 'application/json', 'schema']
  const steps = [
    'paths',
    route.path,
    route.method,
    'responses',
    `${response.status}`,
    'content',
    ...described,
  ]
  const path = steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
  return `document#/${path.join('/')}`
}

const seen = new Map<string, number>()

/** Sends a request and holds the answer against the document. */
const check = async (sent: Sent): Promise<number> => {
  const { route, query, headers, body } = sent
  const { method, operationId } = route
  const path = pathOf(sent)
  const before = stateOfRefusal ?? (await readState())
  stateOfRefusal = undefined
  const response = await shop.app.request(`/api${path}${query && `?${query}`}`, {
    method: method.toUpperCase(),
    headers,
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const { status } = response
  const text = await readAnswer(response)
  const told = `${operationId} answered ${status}: ${text.slice(0, 500)}`
  seen.set(`${operationId} ${status}`, (seen.get(`${operationId} ${status}`) ?? 0) + 1)
  expect(status, told).not.toBe(500)
  if (headers['x-api-key'] === poorKey) expect(status, told).toBe(403)
  expect(Object.keys(route.responses), told).toContain(`${status}`)
  const validate = ajv.getSchema(pointer(route, response))
  if (!validate) throw new Error(`the document says nothing of ${told}`)
  expect(
    validate(isCsv(response) ? text : JSON.parse(text)),
    `${told}: ${ajv.errorsText(validate.errors)}`,
  ).toBe(true)
  if (status >= 400) {
    expect(text, told).not.toMatch(/node_modules|\bat \S+:\d+|select .* from|sk_staging_|cs_/i)
    stateOfRefusal = await readState()
    expect(stateOfRefusal, `${told}, and something was written`).toBe(before)
  }
  return status
}

const seed = 20_260_101

/**
 * Sends every operation some requests, in rounds. Each has a random sequence of its own, so that a new operation does
 * not change the requests of the others.
 */
const sendAll = async (isBroken: boolean, counts: { wallets: number; others: number }): Promise<void> => {
  const lists = routes.map((route) => {
    // The operations of wallets are fewer, and have more to read.
    const numRuns = isOfWallets(route) ? counts.wallets : counts.others
    return fc.sample(toRoute(route, isBroken), { numRuns, seed })
  })
  for (let round = 0; lists.some((list) => round < list.length); round++) {
    for (const sent of lists.flatMap((list) => list[round] ?? [])) await check(sent)
  }
}

test('default: what the document allows is answered as it says', async () => {
  await sendAll(false, { wallets: 110, others: 64 })
})

test('error: what it does not allow is refused as it says, and nothing is written', async () => {
  await sendAll(true, { wallets: 165, others: 97 })
})

test('error: forbidden: a key that lacks the scope opens no operation, however it is asked', async () => {
  for (const route of routes) {
    for (const isBroken of [false, true]) {
      const [sent] = fc.sample(toRoute(route, isBroken), { numRuns: 1, seed })
      if (!sent) throw new Error('nothing was asked')
      const headers = { 'content-type': 'application/json', 'x-api-key': poorKey }
      expect(await check({ ...sent, headers })).toBe(403)
    }
  }
})

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

test('behavior: enough was asked, of wallets too', () => {
  const count = (isCounted: (route: Route) => boolean) =>
    routes
      .filter(isCounted)
      .flatMap(({ operationId }) => [...seen].filter(([name]) => name.startsWith(`${operationId} `)))
      .reduce((sum, [, times]) => sum + times, 0)
  expect(count(() => true)).toBeGreaterThanOrEqual(5_000)
  expect(count(isOfWallets)).toBeGreaterThanOrEqual(2_500)
})
