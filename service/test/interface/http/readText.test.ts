import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { readText } from '#interface/http/readBody.js'

/** Sends bodies at once, and returns in which turn of the event loop each was read. */
const readAtOnce = async (bodies: readonly string[]): Promise<number[]> => {
  let turn = 0
  let isDone = false
  const count = (): void => {
    turn += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const turns: number[] = []
  const app = new Hono().post('/', async (c) => {
    await readText(c)
    turns.push(turn)
    return c.body(null)
  })
  await Promise.all(bodies.map((body) => app.request('/', { method: 'POST', body })))
  isDone = true
  return turns
}

test('behavior: each turn of the event loop parses one large body', async () => {
  const turns = await readAtOnce(Array.from({ length: 8 }, () => 'x'.repeat(800_000)))
  expect(new Set(turns).size).toBe(8)
})

test('behavior: small bodies do not wait for each other', async () => {
  const turns = await readAtOnce(Array.from({ length: 8 }, () => 'x'.repeat(1_000)))
  expect(new Set(turns).size).toBeLessThan(8)
})
