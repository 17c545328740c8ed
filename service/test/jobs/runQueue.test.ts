import { expect, test, vi } from 'vitest'
import { runOutsideSlot } from '../../src/jobs/jobSlot.js'
import { type Queue, runQueue } from '../../src/jobs/runQueue.js'

const log = { info: () => {}, warn: () => {}, error: () => {} }
const limits = { keepMs: 60_000, concurrency: 4 }

const createQueue = (fetch: Queue['fetch']) => {
  const handedBack: [string[], number][] = []
  const completed: string[] = []
  const queue: Queue = {
    fetch,
    complete: async (id) => void completed.push(id),
    fail: async () => {},
    keep: async () => {},
    handBack: async (ids, delayMs) => void handedBack.push([ids, delayMs]),
  }
  return { queue, handedBack, completed }
}

/** Something to wait for, and what ends the wait. */
const createGate = <Value>() => {
  let open: (value: Value) => void = () => {}
  const opened = new Promise<Value>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

type Fetched = Awaited<ReturnType<Queue['fetch']>>
const job = { id: 'a', data: {}, retryCount: 0 }

test.each([
  ['before', 60_000],
  ['after', 5],
])(
  'behavior: jobs that arrive after the signal, %s patience is at its end, are not begun',
  async (_, patienceMs) => {
    const gate = createGate<Fetched>()
    const { queue, handedBack } = createQueue(() => gate.opened)
    const begun: unknown[] = []
    const runner = runQueue('mails.send', queue, async (data) => void begun.push(data), log, limits)
    const stopped = runner.stop(patienceMs, 9_000)
    if (patienceMs < 1_000) await stopped
    gate.open([job])
    await stopped
    await vi.waitFor(() => expect(handedBack).toEqual([[['a'], 0]]))
    expect(begun).toEqual([])
  },
)

test('behavior: what is at work when patience is at its end is kept from others for as long as it may go on', async () => {
  const gate = createGate<void>()
  const fetched: Fetched = [job]
  const { queue, handedBack, completed } = createQueue(async () => fetched.splice(0))
  let isBegun = false
  const runner = runQueue(
    'mails.send',
    queue,
    async () => {
      isBegun = true
      await gate.opened
    },
    log,
    limits,
  )
  await vi.waitFor(() => expect(isBegun).toBe(true))
  await runner.stop(5, 9_000)
  expect(handedBack).toEqual([[['a'], 9_000]])
  gate.open()
  await gate.opened
  expect(completed).toEqual([])
})

test('behavior: a job that waits leaves its slot to others, and comes back before those that have not begun', async () => {
  const waiting: Fetched = ['a', 'b', 'c'].map((id) => ({ id, data: id, retryCount: 0 }))
  const { queue, completed } = createQueue(async (limit) => waiting.splice(0, limit))
  const seen: string[] = []
  const gates = { a: createGate<void>(), b: createGate<void>() }
  const runner = runQueue(
    'orders.deliver',
    queue,
    async (id) => {
      seen.push(`${id} begins`)
      if (id === 'a') {
        // Two tasks side by side: the slot is needed again after both.
        await Promise.all([runOutsideSlot(() => gates.a.opened), runOutsideSlot(async () => {})])
      }
      if (id === 'b') await gates.b.opened
      seen.push(`${id} ends`)
    },
    log,
    { keepMs: 60_000, concurrency: 1 },
  )
  await vi.waitFor(() => expect(seen).toEqual(['a begins', 'b begins']))
  gates.a.open()
  await gates.a.opened
  gates.b.open()
  await vi.waitFor(() => expect(completed).toEqual(['b', 'a', 'c']))
  expect(seen).toEqual(['a begins', 'b begins', 'b ends', 'a ends', 'c begins', 'c ends'])
  await runner.stop()
})
