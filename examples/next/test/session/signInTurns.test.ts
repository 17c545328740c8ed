import { beforeEach, expect, test } from 'vitest'
import { readClient } from '../../lib/session/readClient'
import { takeSignInTurn } from '../../lib/session/signInTurns'

beforeEach(() => {
  globalThis.shopSignInTurns = undefined
})

const minuteMs = 60_000
const takeMany = (count: number, take: (index: number) => boolean): number =>
  Array.from({ length: count }, (_, index) => take(index)).filter(Boolean).length

test('default: one address is sent a few links a minute, whoever asks', () => {
  expect(takeMany(50, (index) => takeSignInTurn('ada@example.com', `10.0.0.${index}`, 0))).toBe(3)
  expect(takeSignInTurn('grace@example.com', '10.0.0.1', 0)).toBe(true)
})

test('default: one client asks for a few, whoever for', () => {
  expect(takeMany(50, (index) => takeSignInTurn(`${index}@example.com`, '10.0.0.1', 0))).toBe(10)
  expect(takeSignInTurn('ada@example.com', '10.0.0.2', 0)).toBe(true)
})

test('behavior: a minute later there are turns again, though somebody kept asking', () => {
  const times = Array.from({ length: 60 }, (_, second) => second * 1_000)
  expect(times.filter((atMs) => takeSignInTurn('ada@example.com', '10.0.0.1', atMs))).toHaveLength(3)
  expect(takeSignInTurn('ada@example.com', '10.0.0.1', minuteMs)).toBe(true)
})

test('behavior: what is over is not kept', () => {
  takeMany(9, (index) => takeSignInTurn(`${index}@example.com`, '10.0.0.1', 0))
  takeSignInTurn('ada@example.com', '10.0.0.2', minuteMs)
  expect(globalThis.shopSignInTurns?.size).toBe(2)
})

test('behavior: a client is whom the nearest proxy saw, not whom a request names', () => {
  expect(readClient(new Headers({ 'x-forwarded-for': '6.6.6.6, 10.0.0.1' }))).toBe('10.0.0.1')
})
