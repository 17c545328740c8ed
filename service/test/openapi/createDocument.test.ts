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
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['401', '403', '429', '500', '503']))
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
  expect(document.components.schemas.Order).toMatchObject({
    properties: { phase: { type: 'string', enum: ['quote', 'payment', 'delivery', 'completed'] } },
  })
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
