import Ajv from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { Order } from 'kassa/schema'
import { parseEther, parseTransaction, type TransactionSerialized } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { routes } from '#interface/routes/index.js'
import { createShop } from '../../helpers/createShop.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const Content = z.looseObject({
  content: z.optional(z.record(z.string(), z.looseObject({ example: z.optional(z.unknown()) }))),
})
const Operation = z.looseObject({
  operationId: z.string(),
  security: z.array(z.unknown()),
  parameters: z.optional(
    z.array(z.looseObject({ in: z.string(), name: z.string(), example: z.optional(z.unknown()) })),
  ),
  requestBody: z.optional(Content),
  responses: z.record(z.string(), Content),
})
const Operations = z.record(z.string(), z.record(z.string(), Operation))
const Document = z.looseObject({
  paths: Operations,
  webhooks: Operations,
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
})

const shop = openBeforeAll(createShop)
let document: z.infer<typeof Document>
const ajv = new Ajv.default({ strict: false, allErrors: true, validateFormats: true })
addFormats.default(ajv)
beforeAll(async () => {
  document = z.parse(Document, await (await shop.app.request('/openapi.json')).json())
  ajv.addSchema(document, 'document')
})

const operationsOf = (paths: z.infer<typeof Operations>) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )

const explain = (steps: readonly string[], example: unknown): string[] => {
  const pointer = steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
  const validate = ajv.getSchema(`document#/${pointer.join('/')}`)
  if (!validate) return [`${steps.join(' ')} is not described`]
  return validate(example) ? [] : [`${steps.join(' ')}: ${ajv.errorsText(validate.errors)}`]
}

test('default: every body, answer and part of a path shows an example, which fits what is said of it', () => {
  const found = operationsOf(document.paths).flatMap(({ path, method, operation }) => {
    const { parameters = [], requestBody, responses } = operation
    const bodies: [string[], z.infer<typeof Content>][] = [
      ...(requestBody ? [[['requestBody'], requestBody] as [string[], typeof requestBody]] : []),
      ...Object.entries(responses).map(
        ([status, answer]) => [['responses', status], answer] as [string[], typeof answer],
      ),
    ]
    const shown = bodies.flatMap(([steps, { content }]) => {
      if (!content) return []
      return Object.entries(content).flatMap(([type, { example }]) =>
        explain(['paths', path, method, ...steps, 'content', type, 'schema'], example),
      )
    })
    const inPath = parameters.flatMap((parameter, at) =>
      parameter.in === 'path'
        ? explain(['paths', path, method, 'parameters', `${at}`, 'schema'], parameter.example)
        : [],
    )
    return [...shown, ...inPath]
  })
  expect(found).toEqual([])
  // Three are paid for by x402, which needs no key.
  expect(operationsOf(document.paths).length).toBe(routes.length + 3)
})

test('behavior: the service takes every example of a body', async () => {
  const all = operationsOf(document.paths).flatMap(({ path, method, operation }) => {
    const body = operation.requestBody?.content?.['application/json']?.example
    if (body === undefined) return []
    const ids = Object.fromEntries(
      (operation.parameters ?? []).map(({ name, example }) => [name, encodeURIComponent(String(example))]),
    )
    return [
      { method, url: `/api${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '')}`, body },
    ]
  })
  // What other examples are about comes first. The order names the price of that collection.
  const first = [
    'put /api/2022-06-09/collections/medals',
    'post /api/2022-06-09/orders',
    'post /api/2022-06-09/wallets',
  ]
  const rank = ({ method, url }: { method: string; url: string }): number =>
    first.includes(`${method} ${url}`) ? first.indexOf(`${method} ${url}`) : first.length
  const refused: string[] = []
  for (const { method, url, body } of all.sort((one, other) => rank(one) - rank(other))) {
    const response = await shop.send(method.toUpperCase(), url, { body })
    // The example of an id may name nothing, and its example may come too late.
    if (response.ok || [404, 409, 422].includes(response.status)) continue
    refused.push(`${method} ${url}: ${response.status} ${await response.text()}`)
  }
  expect(refused).toEqual([])
  expect(all.length).toBeGreaterThan(15)
})

test('behavior: the order of the examples can be read, and its payment be signed', () => {
  const example =
    document.paths['/2022-06-09/orders/{orderId}']?.get?.responses['200']?.content?.['application/json']
      ?.example
  const { payment, quote } = z.parse(Order, example)
  const { value, to } = parseTransaction(payment.preparation?.serializedTransaction as TransactionSerialized)
  expect(value).toBe(parseEther(quote.totalPrice?.amount ?? ''))
  expect(to).toMatch(/^0x/)
})

/** Texts that stand where nothing is known. */
const isNoise = (text: string): boolean => text === '' || text === 'string'

const textsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

test('behavior: an example of an answer is a whole one', () => {
  for (const { operation } of operationsOf(document.paths)) {
    const [, answer] = Object.entries(operation.responses).find(([status]) => status < '300') ?? []
    const [{ example } = {}] = Object.values(answer?.content ?? {})
    expect(textsOf(example).length, operation.operationId).toBeGreaterThan(0)
    expect(textsOf(example).filter(isNoise), operation.operationId).toEqual([])
  }
})

test('behavior: every operation, of webhooks too, has a name of its own and says who may call it', () => {
  const all = [...operationsOf(document.paths), ...operationsOf(document.webhooks)]
  const names = all.map(({ operation }) => operation.operationId)
  expect(new Set(names).size).toBe(names.length)
  expect(names).toContain('ordersPaymentSucceeded')
})

/** The names of schemas that a schema leads to. */
const refersTo = (name: string, found = new Set<string>()): Set<string> => {
  const text = JSON.stringify(document.components.schemas[name] ?? {})
  for (const [, next = ''] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (found.has(next)) continue
    found.add(next)
    refersTo(next, found)
  }
  return found
}

test('behavior: no schema refers to itself, which generated types could not', () => {
  const names = Object.keys(document.components.schemas)
  expect(names).toContain('Json')
  expect(names.filter((name) => refersTo(name).has(name))).toEqual([])
})

test('behavior: a body over the limit is refused by every operation that says so, and by no other', async () => {
  const body = JSON.stringify({ filler: 'x'.repeat(1024 * 1024) })
  for (const { path, method, operation } of operationsOf(document.paths)) {
    if (method === 'get') continue
    const ids = Object.fromEntries(
      (operation.parameters ?? []).map(({ name, example }) => [name, encodeURIComponent(String(example))]),
    )
    const url = `/api${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '')}`
    const headers = { 'content-type': 'application/json', 'x-api-key': shop.serverKey }
    const { status } = await shop.app.request(url, { method: method.toUpperCase(), headers, body })
    expect([status, '413' in operation.responses], `${method} ${path}`).toEqual([413, true])
  }
})
