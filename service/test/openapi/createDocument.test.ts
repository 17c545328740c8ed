import { CreateOrderBody } from 'kassa/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { toJsonSchema } from '../../src/openapi/toJsonSchema.js'
import { routes } from '../../src/routes/index.js'
import { createShop, type Shop } from '../helpers/createShop.js'

const Operation = z.looseObject({
  operationId: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  responses: z.record(z.string(), z.unknown()),
  requestBody: z.optional(
    z.object({
      content: z.object({ 'application/json': z.object({ schema: z.looseObject({}) }) }),
      required: z.boolean(),
    }),
  ),
})
const Document = z.looseObject({
  openapi: z.literal('3.1.0'),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
})

const Parameter = z.looseObject({ in: z.string(), name: z.string(), schema: z.unknown() })

/** Statuses that every operation may answer. */
const always = ['401', '403', '429', '500', '503']

let shop: Shop
let document: z.infer<typeof Document>
beforeAll(async () => {
  shop = await createShop()
  document = z.parse(Document, await (await shop.app.request('/openapi.json')).json())
})
afterAll(() => shop.close())

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
    routes.map(({ operationId }) => operationId).sort(),
  )
  for (const { responses, security } of operations) {
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(always))
    expect(security[0]).toEqual({ apiKey: [] })
  }
  expect(document.paths['/2022-06-09/orders/{orderId}']?.get?.security).toContainEqual({ clientSecret: [] })
  expect(document.paths['/2022-06-09/orders']?.post?.security).not.toContainEqual({ clientSecret: [] })
})

test('behavior: every reference leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"(?:#\/components\/schemas\/)?([^"]+)"/g)]
  expect(references.length).toBeGreaterThan(0)
  for (const [, name = ''] of references) expect(document.components.schemas).toHaveProperty(name)
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
  const { Action, Collection, Nft, Order } = document.components.schemas
  expect(Order).toMatchObject({
    properties: { phase: { type: 'string', enum: ['quote', 'payment', 'delivery', 'completed'] } },
  })
  expect(Collection).toMatchObject({
    properties: {
      fungibility: { type: 'string', enum: ['non-fungible', 'semi-fungible'] },
      onChain: { properties: { type: { type: 'string', enum: ['erc-721', 'erc-1155', 'erc-5643'] } } },
    },
  })
  expect(Nft).toMatchObject({
    properties: { onChain: { properties: { status: { enum: ['pending', 'success', 'failed'] } } } },
  })
  expect(Action).toMatchObject({
    properties: {
      action: { enum: ['collections.create', 'collections.update', 'nfts.create', 'nfts.update'] },
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
  const { collectionId, nftId, ...others } = schemas
  expect(collectionId).toEqual(chosen)
  expect(nftId).toEqual(chosen)
  expect(others).toMatchObject({ orderId: {}, templateId: {}, actionId: {} })
  for (const schema of Object.values(others)) expect(schema).toEqual({ type: 'string', format: 'uuid' })
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
    description: expect.stringMatching(/Scope: `collections\.create` or `nfts\.create`$/),
    tags: ['actions'],
  })
  expect(operation('post', templates)).toMatchObject({ tags: ['templates'] })
  expect(operation('post', '/orders/{orderId}/refresh')).toMatchObject({ tags: ['orders'] })
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
