import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { compileReaders, readersPaths } from '../../scripts/lib/readers.mjs'
import { fromSchema, type JsonSchema } from '../../service/test/helpers/fromSchema.js'
import * as schemas from '../../src/schema/index.js'
import * as paymentOptionReaders from '../../src/schema/paymentOptionReaders.js'
import type { Reader } from '../../src/schema/read.js'
import * as orderReaders from '../../src/schema/readers.js'
import * as refundReaders from '../../src/schema/refundReaders.js'
import * as tokenReaders from '../../src/schema/tokenReaders.js'
import * as walletReaders from '../../src/schema/walletReaders.js'
import { orders } from '../../stories/fixtures/orders.js'
import { nft, otherTransaction, smart, walletToken } from './answers.js'

const { readCreateOrderAnswer, readOrder } = orderReaders
const { readNft } = tokenReaders
const { readTransaction, readTransactionList, readWalletTokenList } = walletReaders
const { Transaction, TransactionList } = schemas

/** Code without what a formatter changes. */
const bare = (code: string): string => code.replace(/\s+/g, '').replace(/,(?=[)}])/g, '')

test('behavior: the readers are what the schemas give', async () => {
  const written = readersPaths.map((path) => bare(readFileSync(path, 'utf8')))
  expect(written).toEqual((await compileReaders()).map(bare))
})

test('default', () => {
  const order = { ...orders.completed, aFieldOfANewerService: 1 }
  expect(readOrder(order)).toEqual({ data: order })
  expect(readCreateOrderAnswer({ clientSecret: 'secret', order })).toMatchObject({ data: { order } })
})

test('error: the fault is named by its path', () => {
  expect(readOrder(null)).toEqual({ fault: 'expected an object' })
  expect(readOrder({ ...orders.completed, orderId: 1 })).toEqual({ fault: 'orderId: expected a string' })
  const [first, ...others] = orders.completed.lineItems
  const lineItems = [...others, { ...first, quote: null }]
  expect(readOrder({ ...orders.completed, lineItems })).toEqual({
    fault: `lineItems.${others.length}.quote: expected an object`,
  })
})

/** JSON in which one value somewhere is another. */
const spoil = (json: unknown, steps: readonly number[], value: unknown): unknown => {
  if (typeof json !== 'object' || json === null || steps.length === 0) return value
  const keys = Object.keys(json)
  const key = keys[(steps[0] ?? 0) % Math.max(1, keys.length)]
  if (key === undefined) return value
  const spoilt = spoil(Reflect.get(json, key), steps.slice(1), value)
  return Array.isArray(json) ? json.with(Number(key), spoilt) : { ...json, [key]: spoilt }
}

test('behavior: null is absence, wherever a field may be absent', () => {
  const absent = { completedAt: null, approvals: { pending: null }, error: null, sendParams: null }
  const { error: _, sendParams: __, completedAt: ___, ...rest } = smart
  const read = readTransactionList({ transactions: [{ ...smart, ...absent }, smart] })
  expect(read).toStrictEqual({ data: { transactions: [{ ...rest, approvals: {} }, smart] } })
  expect(z.parse(TransactionList, { transactions: [{ ...smart, ...absent }] })).toEqual({
    transactions: [{ ...rest, approvals: {} }],
  })
  const stranger = { ...walletToken, metadata: { name: 'Dune 2', description: null, attributes: null } }
  expect(readWalletTokenList([stranger, walletToken])).toStrictEqual({
    data: [{ ...walletToken, metadata: { name: 'Dune 2' } }, walletToken],
  })
  // What nothing is said of is kept as it is.
  const order = { ...orders.completed, metadata: { note: null }, ofANewerService: null }
  expect(readOrder(order)).toStrictEqual({ data: order })
  expect(readOrder({ ...order, quote: null })).toEqual({ fault: 'quote: expected an object' })
})

test('behavior: a transaction of a type that this version does not know is read by what all have', () => {
  const list = { transactions: [smart, otherTransaction] }
  expect(readTransactionList(list)).toEqual({ data: list })
  expect(z.parse(TransactionList, list)).toEqual(list)
  // One of a known type has what its type has.
  const { walletType } = smart
  expect(readTransaction({ ...otherTransaction, walletType })).toMatchObject({
    fault: expect.stringContaining('params.calls'),
  })
  expect(z.safeParse(Transaction, { ...otherTransaction, walletType }).success).toBe(false)
})

// The schemas leave this one name out of what they keep.
const isKept = (json: unknown): boolean => !JSON.stringify(json).includes('"__proto__"')

/** Values that a schema accepts, as JSON. */
const createBodies = (schema: z.ZodMiniType): unknown[] => {
  const { $defs, ...root } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })
  const body = fromSchema(root as JsonSchema, ($defs ?? {}) as Record<string, JsonSchema>)
  return fc
    .sample(body, { numRuns: 100, seed: 20_260_101 })
    .map((value): unknown => JSON.parse(JSON.stringify(value)))
    .filter((value) => isKept(value) && z.safeParse(schema, value).success)
}

const readers = Object.entries({
  ...orderReaders,
  ...paymentOptionReaders,
  ...refundReaders,
  ...tokenReaders,
  ...walletReaders,
})

test.each(readers)('behavior: %s accepts what its schema accepts, and keeps it whole', (reader, reads) => {
  const found = Object.entries(schemas).find(([name]) => `read${name}` === reader)
  const schema = found?.[1] as z.ZodMiniType
  // A reader drops what it drops from the value that it is given.
  const read = (body: unknown) => (reads as Reader<unknown>)(structuredClone(body))
  const bodies = createBodies(schema)
  expect(bodies.length).toBeGreaterThan(50)
  const step = fc.nat({ max: 40 })
  const value = fc.jsonValue().filter(isKept)
  const changes = fc.array(fc.tuple(fc.array(step, { maxLength: 6 }), value), { maxLength: 3 })
  let refused = 0
  for (const body of bodies) expect(read(body)).toEqual({ data: z.parse(schema, body) })
  fc.assert(
    fc.property(fc.constantFrom<unknown>(...bodies), changes, (body, spoilers) => {
      const spoilt = spoilers.reduce((json, [path, value]) => spoil(json, path, value), body)
      const parsed = z.safeParse(schema, spoilt)
      const answer = read(spoilt)
      if (!parsed.success) refused++
      expect('data' in answer).toBe(parsed.success)
      if (parsed.success) expect(answer).toEqual({ data: parsed.data })
    }),
    { numRuns: 2_000 },
  )
  expect(refused).toBeGreaterThan(200)
})

test('error: a value that must be there, whatever it is', () => {
  const attributes = [{ trait_type: 'size' }]
  expect(readNft({ ...nft, metadata: { attributes } })).toEqual({
    fault: 'metadata.attributes.0.value: expected a value',
  })
})
