import {
  CreateOrderBody,
  members,
  parseTokenLocator,
  parseTokenOwner,
  parseWalletLocator,
} from 'kassa/schema'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { describeFields } from '#interface/openapi/describeFields.js'
import { introduction } from '#interface/openapi/introduction.js'
import { serveDocs } from '#interface/openapi/serveDocs.js'
import { toJsonSchema } from '#interface/openapi/toJsonSchema.js'
import { routes } from '#interface/routes/index.js'
import { createShop } from '../../helpers/createShop.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const Operation = z.looseObject({
  operationId: z.string(),
  tags: z.array(z.string()),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  responses: z.record(z.string(), z.unknown()),
  requestBody: z.optional(
    z.object({
      content: z.looseObject({
        'application/json': z.optional(z.object({ schema: z.looseObject({}) })),
      }),
      required: z.boolean(),
    }),
  ),
})
const Answer = z.looseObject({
  content: z.looseObject({ 'application/json': z.looseObject({ schema: z.unknown() }) }),
})
const Document = z.looseObject({
  openapi: z.literal('3.1.0'),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  tags: z.array(z.object({ name: z.string(), 'x-displayName': z.string() })),
  webhooks: z.record(z.string(), z.object({ post: z.looseObject({}) })),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
})

const Parameter = z.looseObject({
  in: z.string(),
  name: z.string(),
  description: z.optional(z.string()),
  schema: z.unknown(),
})

const Locator = z.looseObject({ pattern: z.string(), examples: z.array(z.string()) })
const isLocator: Readonly<Record<string, (text: string) => boolean>> = {
  walletLocator: (text) => parseWalletLocator(text) !== undefined,
  identifier: (text) => parseTokenOwner(text) !== undefined,
  nftLocator: (text) => parseTokenLocator(text) !== undefined,
}

/** Statuses that every operation may answer. */
const always = ['401', '403', '429', '500', '503']

/** What is paid for by x402 takes no key. */
const keyless = ['buyByX402', 'getOrderByX402', 'payOrderByX402']

const shop = openBeforeAll(createShop)
let document: z.infer<typeof Document>
beforeAll(async () => {
  document = z.parse(Document, await (await shop.app.request('/openapi.json')).json())
})

test('default', () => {
  const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map(
      (method) => `${method.toUpperCase()} /api${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    ),
  )
  const served = shop.app.routes
    .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api/'))
    .map(({ method, path }) => `${method} ${path}`)
  expect(documented.sort()).toEqual([...new Set(served)].sort())
})

test('behavior: every operation tells its refusals and who may call it', () => {
  const operations = Object.values(document.paths).flatMap(Object.values)
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(
    [...routes.map(({ operationId }) => operationId), ...keyless].sort(),
  )
  for (const { operationId, responses, security } of operations) {
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(always))
    expect(security[0]).toEqual(keyless.includes(operationId) ? undefined : { apiKey: [] })
  }
  expect(document.paths['/2022-06-09/orders/{orderId}']?.get?.security).toContainEqual({ clientSecret: [] })
  expect(document.paths['/2022-06-09/orders']?.post?.security).not.toContainEqual({ clientSecret: [] })
})

test('behavior: every reference leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)]
  expect(references.length).toBeGreaterThan(0)
  for (const [, path = ''] of references) expect(document.components).toHaveProperty(path.split('/'))
  expect(JSON.stringify(document).match(/"\$ref"/g)).toHaveLength(references.length)
  expect(JSON.stringify(document)).not.toMatch(/"\$(schema|defs)"/)
})

test('behavior: line items are one or a list', () => {
  const components = {}
  const { properties } = toJsonSchema(CreateOrderBody, 'input', components)
  expect(properties?.lineItems).toMatchObject({
    anyOf: [
      { $ref: '#/components/schemas/LineItemInput' },
      { type: 'array', minItems: 1, maxItems: 50, items: { $ref: '#/components/schemas/LineItemInput' } },
    ],
  })
  expect(components).toMatchObject({
    LineItemInput: { type: 'object', properties: { collectionLocator: { type: 'string' } } },
  })
})

test('behavior: known members of open enumerations are listed', () => {
  const { Action, Collection, Nft, Order, Template } = document.components.schemas
  expect(Order).toMatchObject({
    properties: { phase: { type: 'string', enum: ['quote', 'payment', 'delivery', 'completed'] } },
  })
  expect(Collection).toMatchObject({
    properties: {
      fungibility: { type: 'string', enum: ['non-fungible', 'semi-fungible'] },
      onChain: {
        properties: { type: { type: 'string', enum: ['erc-721', 'erc-1155', 'erc-5643', 'token-2022'] } },
      },
    },
  })
  expect(Nft).toMatchObject({
    properties: { onChain: { properties: { status: { enum: ['pending', 'success', 'failed', 'burned'] } } } },
  })
  expect(Template).toMatchObject({ properties: { templateId: { type: 'string' } } })
  expect(Action).toMatchObject({
    properties: {
      action: {
        enum: ['collections.create', 'collections.update', 'nfts.create', 'nfts.update', 'nfts.delete'],
      },
      status: { enum: ['pending', 'succeeded', 'failed'] },
    },
  })
})

test('behavior: path parameters say what they look like', () => {
  const chosen = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$' }
  const schemas: Record<string, unknown> = {}
  for (const { parameters } of Object.values(document.paths).flatMap(Object.values)) {
    for (const one of z.parse(z.array(Parameter), parameters)) {
      if (one.in === 'path') schemas[one.name] = one.schema
    }
  }
  const { collectionId, nftId, walletLocator, identifier, nftLocator, ...rest } = schemas
  const { refundId, eventId, paymentLinkId, ...others } = rest
  expect(collectionId).toEqual(chosen)
  expect(nftId).toEqual(chosen)
  expect(others).toMatchObject({ orderId: {}, templateId: {}, actionId: {}, transactionId: {} })
  const locators = { walletLocator, identifier, nftLocator }
  for (const [name, schema] of Object.entries(locators)) {
    const { pattern, examples } = z.parse(Locator, schema)
    for (const example of examples) {
      expect(isLocator[name]?.(example), example).toBe(true)
      expect(example).toMatch(new RegExp(pattern))
    }
  }
  for (const schema of [refundId, eventId, paymentLinkId]) {
    const { pattern, examples } = z.parse(Locator, schema)
    for (const example of examples) expect(example).toMatch(new RegExp(pattern))
  }
  for (const schema of Object.values(others)) expect(schema).toEqual({ type: 'string', format: 'uuid' })
})

test('behavior: the headings are words', () => {
  const headings = document.tags.map((tag) => tag['x-displayName'])
  expect(headings).toContain('API keys')
  expect(headings).toContain('NFTs')
  expect(headings.filter((heading) => !/^[A-Z][A-Za-z]*( [a-z]+)*$/.test(heading))).toEqual([])
})

test('behavior: operations on tokens tell their statuses, scopes and tags', () => {
  const operation = (method: string, path: string) => document.paths[`/2022-06-09${path}`]?.[method]
  const statusesOf = (method: string, path: string) =>
    Object.keys(operation(method, path)?.responses ?? {}).filter((status) => !always.includes(status))
  expect(statusesOf('put', '/collections/{collectionId}')).toEqual(['200', '400', '409', '413'])
  expect(statusesOf('post', '/collections')).toEqual(['200', '400', '409', '413'])
  expect(statusesOf('get', '/collections')).toEqual(['200', '400'])
  expect(statusesOf('get', '/collections/{collectionId}')).toEqual(['200', '404'])
  expect(statusesOf('patch', '/collections/{collectionId}')).toEqual(['200', '400', '404', '413'])
  const templates = '/collections/{collectionId}/templates'
  expect(statusesOf('post', templates)).toEqual(['200', '400', '404', '409', '413'])
  expect(statusesOf('get', templates)).toEqual(['200', '400', '404'])
  expect(statusesOf('get', `${templates}/{templateId}`)).toEqual(['200', '404'])
  expect(statusesOf('get', '/actions/{actionId}')).toEqual(['200', '404'])
  expect(operation('get', '/actions/{actionId}')).toMatchObject({
    description: expect.stringMatching(/Scope: `collections\.create` or `nfts\.create` or `nfts\.delete`$/),
    tags: ['actions'],
  })
  expect(operation('post', templates)).toMatchObject({ tags: ['templates'] })
  expect(operation('post', '/orders/{orderId}/refresh')).toMatchObject({ tags: ['orders'] })
  expect(operation('get', '/orders.csv')).toMatchObject({ tags: ['orders'] })
})

test('behavior: operations on wallets tell their statuses, forms of refusals and tags', () => {
  const tried = (method: string, path: string) => {
    const operation = document.paths[path]?.[method]
    const schemas = Object.entries(operation?.responses ?? {}).map(([status, answer]) => {
      const { content } = z.parse(Answer, answer)
      return [status, content['application/json'].schema] as const
    })
    const told = Object.fromEntries(schemas)
    const statuses = Object.keys(told).filter((status) => !always.includes(status))
    return { tags: operation?.tags, statuses, told }
  }
  const refer = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  const wallets = '/2022-06-09/wallets'
  expect(tried('post', wallets)).toMatchObject({
    tags: ['wallets'],
    statuses: ['200', '201', '400', '409', '413', '422'],
    told: { 200: refer('Wallet'), 201: refer('Wallet'), 422: refer('Error') },
  })
  const transactions = `${wallets}/{walletLocator}/transactions`
  expect(tried('post', transactions)).toMatchObject({
    tags: ['transactions'],
    statuses: ['201', '400', '404', '409', '413', '422'],
    told: { 201: refer('Transaction') },
  })
  expect(JSON.stringify(tried('post', transactions).told[422])).toContain(refer('ReasonError').$ref)
  expect(tried('post', `${transactions}/{transactionId}/approvals`)).toMatchObject({
    tags: ['transactions'],
    statuses: ['201', '400', '404', '409', '413', '422'],
  })
  const listed = tried('get', `${wallets}/{identifier}/nfts`)
  expect(listed).toMatchObject({
    tags: ['wallets'],
    statuses: ['200', '400'],
    told: { 200: { type: 'array', items: refer('WalletToken') } },
  })
  const { 200: _, ...refusals } = listed.told
  for (const refusal of Object.values(refusals)) expect(refusal).toEqual(refer('TextError'))
  expect(tried('get', '/v1-alpha1/nfts/{nftLocator}/credentials')).toMatchObject({
    tags: ['credentials'],
    statuses: ['200', '400', '404'],
  })
  expect(tried('post', '/v1-alpha2/wallets/{walletLocator}/balances')).toMatchObject({
    tags: ['balances'],
    statuses: ['201', '400', '404', '409', '413', '422'],
    told: { 201: { items: refer('Balance') }, 422: refer('Error') },
  })
})

test('behavior: transactions are one of their forms', () => {
  const forms = (...names: string[]) => names.map((name) => ({ $ref: `#/components/schemas/${name}` }))
  const { schemas } = document.components
  expect(schemas.Transaction).toEqual({
    oneOf: forms(
      'EvmSmartWalletTransaction',
      'EvmMpcWalletTransaction',
      'SolanaSmartWalletTransaction',
      'SolanaMpcWalletTransaction',
    ),
  })
  expect(schemas.EvmSmartWalletTransaction).toMatchObject({
    properties: { status: { enum: members.transactionStatuses }, walletType: { const: 'evm-smart-wallet' } },
  })
  expect(schemas.EvmSmartWalletParams).toMatchObject({
    properties: { calls: { items: { oneOf: forms('ContractCall', 'DirectCall', 'SerializedCall') } } },
  })
  expect(inputOf('post', '/wallets/{walletLocator}/transactions')).toMatchObject({
    properties: {
      params: {
        anyOf: forms(
          'EvmSmartWalletParams',
          'EvmMpcWalletParams',
          'SolanaSmartWalletParams',
          'SolanaMpcWalletParams',
        ),
      },
    },
  })
})

const inputOf = (method: string, path: string) =>
  document.paths[path.startsWith('/v1') ? path : `/2022-06-09${path}`]?.[method]?.requestBody?.content[
    'application/json'
  ]?.schema

/** Where a described body has a field of which nothing is said. */
const findSilent = (schema: unknown, path: string): string[] => {
  const { properties, items, anyOf, oneOf } = z.parse(
    z.looseObject({
      properties: z.optional(z.record(z.string(), z.looseObject({}))),
      items: z.optional(z.unknown()),
      anyOf: z.optional(z.array(z.unknown())),
      oneOf: z.optional(z.array(z.unknown())),
    }),
    schema,
  )
  const inner = [...(items ? [items] : []), ...(anyOf ?? oneOf ?? [])].flatMap((one) => findSilent(one, path))
  const fields = Object.entries(properties ?? {}).flatMap(([name, field]) => {
    const below = findSilent(field, `${path}.${name}`)
    return below.length || field.properties || field.description ? below : [`${path}.${name}`]
  })
  return [...inner, ...fields]
}

const bodies = [
  ['post', '/wallets'],
  ['post', '/wallets/{walletLocator}/transactions'],
  ['post', '/wallets/{walletLocator}/transactions/{transactionId}/approvals'],
  ['post', '/v1-alpha2/wallets/{walletLocator}/balances'],
  ['post', '/collections'],
  ['patch', '/collections/{collectionId}'],
  ['post', '/collections/{collectionId}/nfts'],
  ['patch', '/collections/{collectionId}/nfts/{nftId}'],
  ['post', '/collections/{collectionId}/templates'],
] as const

test.each(bodies)('behavior: %s %s says something of each field', (method, path) => {
  const body = inputOf(method, path)
  expect(body).toHaveProperty('properties')
  // A trait is what its list is said to be.
  expect(findSilent(body, '').filter((field) => !/attributes/.test(field))).toEqual([])
})

test('behavior: what the merchant alone is shown is described where it is sent and where it is answered', () => {
  const said = { description: expect.stringMatching(/\w/) }
  const gift = { ...said, properties: { giverName: said, note: said } }
  expect(inputOf('post', '/orders')).toMatchObject({
    properties: {
      recipient: { properties: { physicalAddress: said } },
      payment: { properties: { receiptEmail: said } },
      gift,
    },
  })
  const merchantOnly = {
    description: expect.stringContaining('Only in answers to server keys, and in webhooks'),
  }
  const { Order, LineItem, Collection } = document.components.schemas
  const recipient = { properties: { physicalAddress: merchantOnly } }
  expect(Order).toMatchObject({
    properties: {
      gift: { ...gift, ...merchantOnly },
      payment: { properties: { receiptEmail: merchantOnly } },
    },
  })
  expect(LineItem).toMatchObject({ properties: { delivery: { properties: { recipient } } } })
  expect(Collection).toMatchObject({ properties: { payments: { properties: { requires: said } } } })
})

test('behavior: fields tell their defaults and examples, and what goes with what', () => {
  const mint = inputOf('post', '/collections/{collectionId}/nfts')
  expect(mint).toMatchObject({
    oneOf: [{ required: ['metadata'] }, { required: ['templateId'] }],
    properties: {
      metadata: { properties: { name: { minLength: 1, maxLength: 200, examples: ['Gold'] } } },
      templateId: { type: 'string' },
      sendNotification: { type: 'boolean', default: true },
      locale: { format: 'bcp47', default: 'en-US' },
    },
  })
  expect(inputOf('patch', '/collections/{collectionId}/nfts/{nftId}')).toMatchObject({
    anyOf: [{ required: ['metadata'] }, { required: ['subscription'] }],
  })
  expect(inputOf('put', '/collections/{collectionId}')).toMatchObject({
    properties: { fungibility: { default: 'non-fungible' }, reuploadLinkedFiles: { default: true } },
  })
  const parameters = z.parse(z.array(Parameter), document.paths['/2022-06-09/collections']?.get?.parameters)
  expect(parameters.find(({ name }) => name === 'perPage')).toMatchObject({
    description: 'The number of entries on a page, at most 100',
    schema: { default: '10' },
  })
})

test('behavior: answers tell their headers', () => {
  const { get, patch } = document.paths['/2022-06-09/orders/{orderId}'] ?? {}
  const headersOf = (status: string, operation = get) =>
    Object.keys(
      z.parse(z.looseObject({ headers: z.looseObject({}) }), operation?.responses?.[status]).headers,
    )
  const allowance = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
  expect(headersOf('200')).toEqual(['x-request-id', 'ETag', ...allowance])
  expect(headersOf('304')).toEqual(['x-request-id', 'ETag', ...allowance])
  expect(headersOf('200', patch)).toEqual(['x-request-id', 'x-kassa-ignored-fields', ...allowance])
  expect(headersOf('401')).toEqual(['x-request-id'])
  for (const status of ['429', '503', '504']) {
    expect(headersOf(status)).toEqual(['x-request-id', 'Retry-After', ...allowance])
  }
})

test('behavior: what the service answers has the headers it tells of', async () => {
  const answer = await shop.send('GET', '/api/2022-06-09/collections')
  expect([...answer.headers.keys()]).toEqual(
    expect.arrayContaining(['x-request-id', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']),
  )
})

test('behavior: every type of event is described', () => {
  expect(Object.keys(document.webhooks)).toEqual(members.webhookEventTypes)
  const bodyOf = (type: string) => ({
    requestBody: { content: { 'application/json': { schema: { properties: { type: { const: type } } } } } },
  })
  for (const [type, { post }] of Object.entries(document.webhooks)) expect(post).toMatchObject(bodyOf(type))
  const dataOf = (name: string) => ({
    requestBody: {
      content: {
        'application/json': { schema: { properties: { data: { $ref: `#/components/schemas/${name}` } } } },
      },
    },
  })
  expect(document.webhooks['orders.payment.failed']?.post).toMatchObject(dataOf('Order'))
  expect(document.webhooks['nfts.create.failed']?.post).toMatchObject(dataOf('ActionData'))
  expect(document.webhooks['wallets.transaction.failed']?.post).toMatchObject(dataOf('Transaction'))
})

test('error: a field that there is not', () => {
  const body = z.object({ inner: z.optional(z.object({ name: z.string() })) })
  expect(() => describeFields(body, { 'inner.title': 'What it is called' })).toThrow(
    'there is no field inner.title',
  )
})

test('error: two schemas of one name', () => {
  const registered = (name: string, schema: z.ZodMiniType) => {
    z.globalRegistry.add(schema, { id: name })
    return schema
  }
  const components = {}
  const first = registered('Twin', z.object({ a: z.string() }))
  toJsonSchema(first, 'output', components)
  toJsonSchema(first, 'output', components)
  z.globalRegistry.remove(first)
  const second = registered('Twin', z.object({ b: z.string() }))
  expect(() => toJsonSchema(second, 'output', components)).toThrow('two schemas are called Twin')
  z.globalRegistry.remove(second)
})

test('behavior: the page is served from here alone', async () => {
  const response = await shop.app.request('/docs')
  expect(response.status).toBe(200)
  const page = await response.text()
  expect(page).not.toMatch(/(src|href)="https?:/)
  for (const [, path = ''] of page.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
    const asset = await shop.app.request(path)
    expect(asset.status, path).toBe(200)
    expect((await asset.arrayBuffer()).byteLength).toBeGreaterThan(50)
  }
})

test('behavior: the page has a key in a sandbox only, and only at its own address', async () => {
  const start = await (await shop.app.request('/docs/start.js')).text()
  expect(start).toContain('Scalar.createApiReference')
  expect(start).not.toMatch(/sk_|securitySchemes/)
  const sandbox = serveDocs({ publicUrl: 'http://localhost:4000', sandboxKey: 'sk_staging_try' })
  const read = async (host: string) => {
    const response = await sandbox.request(`http://${host}/start.js`)
    // No page of another origin may run it.
    expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin')
    return response.text()
  }
  expect(await read('localhost:4000')).toContain('sk_staging_try')
  expect(await read('stranger.example:4000')).not.toContain('sk_staging_try')
})

test('behavior: the introduction speaks of keys, errors, idempotency, paging and webhooks', () => {
  const headings = [...introduction.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)
  expect(headings).toEqual(['Keys', 'Errors', 'Idempotency', 'Paging', 'Webhooks'])
})
