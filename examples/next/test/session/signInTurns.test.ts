import { beforeEach, expect, test } from 'vitest'
import { readClient } from '../../lib/session/readClient'
import { takeSignInTurn } from '../../lib/session/signInTurns'

beforeEach(() => {
  globalThis.shopSignInTurns = undefined
})

const minuteMs = 60_000
const takeMany = (count: number, take: (index: number) => boolean): number =>
  Array.from({ length: count }, (_, index) => take(index)).filter(Boolean).length

test('default: one address receives a few links per minute, from all clients together', () => {
  expect(takeMany(50, (index) => takeSignInTurn('ada@example.com', `10.0.0.${index}`, 0))).toBe(3)
  expect(takeSignInTurn('grace@example.com', '10.0.0.1', 0)).toBe(true)
})

test('default: one client may request a few links per minute, for all addresses together', () => {
  expect(takeMany(50, (index) => takeSignInTurn(`${index}@example.com`, '10.0.0.1', 0))).toBe(10)
  expect(takeSignInTurn('ada@example.com', '10.0.0.2', 0)).toBe(true)
})

test('behavior: the limit resets after a minute, even if requests continue', () => {
  const times = Array.from({ length: 60 }, (_, second) => second * 1_000)
  expect(times.filter((atMs) => takeSignInTurn('ada@example.com', '10.0.0.1', atMs))).toHaveLength(3)
  expect(takeSignInTurn('ada@example.com', '10.0.0.1', minuteMs)).toBe(true)
})

test('behavior: expired entries are removed', () => {
  takeMany(9, (index) => takeSignInTurn(`${index}@example.com`, '10.0.0.1', 0))
  takeSignInTurn('ada@example.com', '10.0.0.2', minuteMs)
  expect(globalThis.shopSignInTurns?.size).toBe(2)
})

test("behavior: the nearest proxy identifies the client, not the request's own header", () => {
  expect(readClient(new Headers({ 'x-forwarded-for': '6.6.6.6, 10.0.0.1' }))).toBe('10.0.0.1')
})
