import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { compileReaders, readersPath } from '../../scripts/readers.mjs'
import { CreateOrderAnswer, ErrorAnswer, Order } from '../../src/schema/index.js'
import { readCreateOrderAnswer, readErrorAnswer, readOrder } from '../../src/schema/readers.js'
import { orders } from '../../stories/fixtures/orders.js'

/** Code without what a formatter changes. */
const bare = (code: string): string => code.replace(/\s+/g, '').replace(/,(?=[)}])/g, '')

test('behavior: the readers are what the schemas give', async () => {
  expect(bare(readFileSync(readersPath, 'utf8'))).toBe(bare(await compileReaders()))
})

test('default', () => {
  const order = { ...orders.completed, aFieldOfANewerService: 1 }
  expect(readOrder(order)).toEqual({ data: order })
  expect(readCreateOrderAnswer({ clientSecret: 'secret', order })).toMatchObject({ data: { order } })
  expect(readErrorAnswer({ error: true, message: 'Not found' })).toMatchObject({ data: { error: true } })
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

const answers = fc.constantFrom(
  ...Object.values(orders).map((order): unknown => JSON.parse(JSON.stringify(order))),
)

test('behavior: a reader accepts what its schema accepts, and keeps it whole', () => {
  const step = fc.nat({ max: 40 })
  const changes = fc.array(fc.tuple(fc.array(step, { maxLength: 6 }), fc.jsonValue()), { maxLength: 3 })
  const pairs = [
    [Order, readOrder, (order: unknown) => order],
    [CreateOrderAnswer, readCreateOrderAnswer, (order: unknown) => ({ clientSecret: 'secret', order })],
    [ErrorAnswer, readErrorAnswer, (order: unknown) => ({ error: order, message: 'no' })],
  ] as const
  let refused = 0
  for (const [schema, read, wrap] of pairs)
    fc.assert(
      fc.property(answers, changes, (order, spoilers) => {
        const body = spoilers.reduce<unknown>((json, [path, value]) => spoil(json, path, value), wrap(order))
        const parsed = z.safeParse(schema, body)
        const answer = read(body)
        if (!parsed.success) refused++
        expect('data' in answer).toBe(parsed.success)
        if (parsed.success) expect(answer).toEqual({ data: parsed.data })
      }),
      { numRuns: 2_000 },
    )
  expect(refused).toBeGreaterThan(500)
})
