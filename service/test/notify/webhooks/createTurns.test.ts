import { expect, test } from 'vitest'
import { createTurns, type Turn } from '#notify/webhooks/createTurns.js'

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
  /**
   * Simulates waiting messages to an endpoint with a constant answer time. Returns how often they tried, and
   * how many were sent.
   */
  const work = (dueMs: number[], answerMs: number, forMs: number) => {
    const [atMs, sent] = [nowMs, dueMs.length]
    let asked = 0
    let open: { end(): void; endMs: number }[] = []
    for (; nowMs < atMs + forMs; nowMs += 50) {
      for (const { end } of open.filter(({ endMs }) => endMs <= nowMs)) end()
      open = open.filter(({ endMs }) => endMs > nowMs)
      const due = dueMs.filter((ms) => ms <= nowMs)
      const later = dueMs.filter((ms) => ms > nowMs)
      dueMs.splice(0, dueMs.length, ...later)
      for (const _ of due) {
        asked += 1
        const turn = turns.take('backlog')
        if ('end' in turn) open.push({ ...turn, endMs: nowMs + answerMs })
        else dueMs.push(turn.againAtMs)
      }
    }
    for (const { end } of open) end()
    return { asked, sent: sent - dueMs.length }
  }
  return { take, open, waits, pass, work }
}

test('default: no endpoint takes more than its places, whatever others do', () => {
  const { take, open, waits } = createWorld()
  const stalling = take('stalling', 100)
  expect(open(stalling)).toHaveLength(16)
  expect(waits(stalling)).toHaveLength(84)
  expect(open(take('other', 16))).toHaveLength(16)
})

test('behavior: messages without a place try again one after another, and soon if the queue is short', () => {
  const { take, waits, pass } = createWorld()
  take('stalling', 16)
  pass(15_000)
  const all = waits(take('stalling', 5_000))
  expect(all.every((wait, at) => wait >= 250 && wait >= (all[at - 1] ?? 0))).toBe(true)
  expect(all.slice(0, 64).every((wait) => wait <= 62_000)).toBe(true)
  expect(all.every((wait) => wait <= 10 * 60_000)).toBe(true)
})

test('behavior: a long queue for a stalled endpoint tries seldom, and continues when it answers', () => {
  const { work } = createWorld()
  const line = Array.from({ length: 5_000 }, () => 0)
  // All try at first, and most once more before the endpoint's answer time is known.
  expect(work(line, 15_000, 60_000).asked).toBeLessThan(10_000)
  const stalled = work(line, 15_000, 10 * 60_000)
  expect(stalled.sent).toBeLessThan(120)
  expect(stalled.asked).toBeLessThan(7_500)
  const recovered = work(line, 50, 10 * 60_000)
  expect(line).toEqual([])
  expect(recovered.asked).toBeLessThan(1.1 * recovered.sent)
})

test('behavior: once an endpoint answers again, a new message does not wait behind the old queue', () => {
  const { take, open, waits, pass, work } = createWorld()
  work(
    Array.from({ length: 5_000 }, () => 0),
    15_000,
    60_000,
  )
  const [first] = open(take('backlog'))
  pass(50)
  first?.end()
  const burst = take('backlog', 50)
  expect(open(burst)).toHaveLength(16)
  expect(Math.max(...waits(burst))).toBeLessThan(1_000)
})

test('behavior: a free place is taken', () => {
  const { take, open, pass } = createWorld()
  const [first] = open(take('busy', 20))
  expect(open(take('busy'))).toHaveLength(0)
  pass(100)
  first?.end()
  expect(open(take('busy', 2))).toHaveLength(1)
})

test('behavior: an endpoint whose last answer was slow has two places, until it answers', () => {
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

test('behavior: while an endpoint is silent, waiting messages try less and less often', () => {
  const { take, waits, pass } = createWorld()
  take('stalling', 16)
  let asked = 0
  // Each of a hundred tries again at its time, until the first could have an answer.
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
