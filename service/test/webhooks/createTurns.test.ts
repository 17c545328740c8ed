import { expect, test } from 'vitest'
import { createTurns, type Turn } from '../../src/webhooks/createTurns.js'

const createWorld = () => {
  let nowMs = 1_000_000
  const turns = createTurns(() => nowMs)
  const take = (endpointId: string, count = 1): Turn[] =>
    Array.from({ length: count }, () => turns.take(endpointId))
  const open = (all: readonly Turn[]) => all.flatMap((turn) => ('end' in turn ? [turn] : []))
  const waits = (all: readonly Turn[]) =>
    all.flatMap((turn) => ('againAtMs' in turn ? [turn.againAtMs - nowMs] : []))
  const pass = (ms: number) => {
    nowMs += ms
  }
  return { take, open, waits, pass }
}

test('default: no endpoint takes more than its places, whatever another does', () => {
  const { take, open, waits } = createWorld()
  const stalling = take('stalling', 100)
  expect(open(stalling)).toHaveLength(16)
  expect(waits(stalling)).toHaveLength(84)
  expect(open(take('other', 16))).toHaveLength(16)
})

test('behavior: who found no place comes again one after the other, never at once, within a minute', () => {
  const { take, waits } = createWorld()
  const all = waits(take('stalling', 5_000))
  expect(all.every((wait, at) => wait >= 250 && wait >= (all[at - 1] ?? 0))).toBe(true)
  expect(all.every((wait) => wait <= 60_000)).toBe(true)
})

test('behavior: a place that is free again is taken', () => {
  const { take, open, pass } = createWorld()
  const [first] = open(take('busy', 20))
  expect(open(take('busy'))).toHaveLength(0)
  pass(100)
  first?.end()
  expect(open(take('busy', 2))).toHaveLength(1)
})

test('behavior: an endpoint that let the last message wait for long has two places, until it answers', () => {
  const { take, open, pass } = createWorld()
  const stalled = open(take('slow', 16))
  pass(15_000)
  for (const turn of stalled) turn.end()
  const tried = open(take('slow', 10))
  expect(tried).toHaveLength(2)
  pass(50)
  for (const turn of tried) turn.end()
  expect(open(take('slow', 20))).toHaveLength(16)
})

test('behavior: while nothing is heard, those that wait ask ever less often', () => {
  const { take, waits, pass } = createWorld()
  take('stalling', 16)
  let asked = 0
  // Each of a hundred asks again when it was told to, until the first could have an answer.
  const due = Array.from({ length: 100 }, () => 0)
  for (let ms = 0; ms < 15_000; ms += 50) {
    for (const [at, dueMs] of due.entries()) {
      if (dueMs > ms) continue
      asked += 1
      due[at] = ms + (waits(take('stalling'))[0] ?? 0)
    }
    pass(50)
  }
  expect(asked).toBeLessThan(400)
})
