import { expect, test, vi } from 'vitest'
import { createSlots, runOutsideSlot } from '#adapters/jobs/jobSlots.js'
import type { FetchedJob, Queue } from '#adapters/jobs/openQueues.js'
import { createOutageLog } from '#adapters/jobs/outageLog.js'
import { runQueue } from '#adapters/jobs/runQueue.js'
import { ServiceError } from '#base/errors.js'

const log = { info: () => {}, warn: () => {}, error: () => {} }
const limit = (count = 4, outage = createOutageLog(log)) => ({
  keepMs: 60_000,
  pollMs: 1_000,
  slots: createSlots(count),
  outage,
})

/** Runs everything that waits only for this process. */
const settle = () => new Promise(setImmediate)

const createQueue = (
  fetch: (limit: number) => Promise<FetchedJob[]>,
  nextMs: () => number | undefined = () => undefined,
) => {
  const handedBack: [string[], number][] = []
  const completed: string[] = []
  const failed: [string, string, number][] = []
  const queue: Queue = {
    fetch: async (limit) => ({ jobs: await fetch(limit), nextMs: nextMs() }),
    complete: async (id) => void completed.push(id),
    fail: async (id, reason, delaySeconds) => void failed.push([id, reason, delaySeconds]),
    keep: async () => {},
    handBack: async (ids, delayMs) => void handedBack.push([ids, delayMs]),
  }
  return { queue, handedBack, completed, failed }
}

/** A promise, and the function that resolves it. */
const createGate = <Value>() => {
  let open: (value: Value) => void = () => {}
  const opened = new Promise<Value>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

type Fetched = FetchedJob[]
const job = { id: 'a', claim: 'a', data: {}, starts: 1 }

test.each([
  ['before', 60_000],
  ['after', 5],
])(
  'behavior: jobs that arrive after the signal, %s patience is at its end, are not started',
  async (_, patienceMs) => {
    const gate = createGate<Fetched>()
    const { queue, handedBack } = createQueue(() => gate.opened)
    const begun: unknown[] = []
    const runner = runQueue(
      { name: 'mails.send', queue, handle: async (data) => void begun.push(data), log },
      limit(),
    )
    const stopped = runner.stop(patienceMs, 9_000)
    if (patienceMs < 1_000) await stopped
    gate.open([job])
    await stopped
    await expect.poll(() => handedBack).toEqual([[['a'], 0]])
    expect(begun).toEqual([])
  },
)

test('behavior: jobs still running when patience is at its end are kept from others for as long as they may continue', async () => {
  const gate = createGate<void>()
  const fetched: Fetched = [job]
  const { queue, handedBack, completed, failed } = createQueue(async () => fetched.splice(0))
  let isBegun = false
  const handle = async () => {
    isBegun = true
    await gate.opened
  }
  const runner = runQueue({ name: 'mails.send', queue, handle, log }, limit())
  await expect.poll(() => isBegun).toBe(true)
  await runner.stop(5, 9_000)
  expect(handedBack).toEqual([[['a'], 9_000]])
  gate.open()
  await settle()
  expect({ completed, failed }).toEqual({ completed: [], failed: [] })
})

test('behavior: a job that fails after it was handed back is not reported by this process', async () => {
  const gate = createGate<void>()
  const fetched: Fetched = [job]
  const { queue, handedBack, completed, failed } = createQueue(async () => fetched.splice(0))
  const handle = async () => {
    await gate.opened
    throw new Error('late')
  }
  const runner = runQueue({ name: 'mails.send', queue, handle, log }, limit())
  await settle()
  await runner.stop(5, 9_000)
  gate.open()
  await settle()
  expect({ handedBack, completed, failed }).toEqual({
    handedBack: [[['a'], 9_000]],
    completed: [],
    failed: [],
  })
})

test('behavior: without a limit to its patience, a stop waits until the running jobs are finished', async () => {
  const fetched: Fetched = [job]
  const { queue, handedBack, completed } = createQueue(async () => fetched.splice(0))
  const handle = () => new Promise<void>((resolve) => setTimeout(resolve, 30))
  const runner = runQueue({ name: 'mails.send', queue, handle, log }, limit())
  await settle()
  await runner.stop()
  expect({ handedBack, completed }).toEqual({ handedBack: [], completed: ['a'] })
})

test('behavior: a stop of a queue without jobs hands nothing back', async () => {
  const gate = createGate<Fetched>()
  const { queue, handedBack } = createQueue(() => gate.opened)
  const runner = runQueue({ name: 'mails.send', queue, handle: async () => {}, log }, limit())
  const stopped = runner.stop()
  gate.open([])
  await stopped
  expect(handedBack).toEqual([])
})

const asked = new ServiceError('chain-unavailable', 'later', { retryAfterSeconds: 600 })
const askedSoon = new ServiceError('chain-unavailable', 'soon', { retryAfterSeconds: 1 })

test.each([
  [0, new TypeError('no'), 'TypeError', 3],
  [1, new TypeError('no'), 'TypeError', 6],
  [4, new TypeError('no'), 'TypeError', 48],
  [5, new TypeError('no'), 'TypeError', 60],
  [2_000, new TypeError('no'), 'TypeError', 60],
  [0, asked, 'ServiceError', 600],
  [0, askedSoon, 'ServiceError', 3],
  [0, new ServiceError('timeout', 'slow'), 'ServiceError', 3],
  [0, 'a text', 'unknown', 3],
])(
  'error: a job that failed %i times before comes back later, %s',
  async (failures, error, name, seconds) => {
    const fetched: Fetched = [{ ...job, starts: failures + 1 }]
    const { queue, completed, failed } = createQueue(async () => fetched.splice(0))
    const warnings: unknown[][] = []
    const warn = (...line: unknown[]) => void warnings.push(line)
    const runner = runQueue(
      { name: 'mails.send', queue, handle: () => Promise.reject(error), log: { ...log, warn } },
      limit(),
    )
    await settle()
    await runner.stop()
    expect({ completed, failed }).toEqual({ completed: [], failed: [['a', name, seconds]] })
    expect(warnings).toEqual([
      [{ err: error, job: 'mails.send', jobId: 'a' }, expect.stringContaining('tried again')],
    ])
  },
)

test('error: a queue that cannot record how a job ended is reported, and its slot is free for the next', async () => {
  const away = new Error('the database is away')
  const fetched: Fetched = ['a', 'b'].map((id) => ({ id, claim: id, data: id, starts: 1 }))
  const { queue } = createQueue(async (limit) => fetched.splice(0, limit))
  queue.complete = () => Promise.reject(away)
  queue.fail = () => Promise.reject(away)
  const warnings: unknown[][] = []
  const warn = (...line: unknown[]) => void warnings.push(line)
  const begun: unknown[] = []
  const handle = async (data: unknown) => void begun.push(data)
  const runner = runQueue({ name: 'mails.send', queue, handle, log: { ...log, warn } }, limit(1))
  await expect.poll(() => begun).toEqual(['a', 'b'])
  await settle()
  await runner.stop()
  expect(warnings).toContainEqual([
    { err: away, job: 'mails.send', jobId: 'b' },
    expect.stringContaining('could not be recorded'),
  ])
})

test('error: jobs that cannot be handed back are reported, and the stop goes on', async () => {
  const gate = createGate<Fetched>()
  const { queue } = createQueue(() => gate.opened)
  const away = new Error('the database is away')
  queue.handBack = () => Promise.reject(away)
  const warnings: unknown[][] = []
  const warn = (...line: unknown[]) => void warnings.push(line)
  const runner = runQueue(
    { name: 'mails.send', queue, handle: async () => {}, log: { ...log, warn } },
    limit(),
  )
  const stopped = runner.stop()
  gate.open([job])
  await stopped
  expect(warnings).toEqual([[{ err: away, job: 'mails.send' }, expect.stringContaining('handed back')]])
})

test('behavior: running jobs are kept from other processes, and a failure to do so is reported', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
  try {
    const gate = createGate<void>()
    const fetched: Fetched = [job]
    const { queue } = createQueue(async () => fetched.splice(0))
    const kept: string[][] = []
    const away = new Error('the database is away')
    queue.keep = async (ids) => {
      kept.push(ids)
      throw away
    }
    const warnings: unknown[][] = []
    const warn = (...line: unknown[]) => void warnings.push(line)
    const limits = limit(4, createOutageLog({ ...log, warn }))
    const runner = runQueue({ name: 'mails.send', queue, handle: () => gate.opened, log }, limits)
    await vi.advanceTimersByTimeAsync(limit().keepMs - 1)
    expect(kept).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(kept).toEqual([['a']])
    expect(warnings).toEqual([[{ err: away, job: 'mails.send' }, expect.stringContaining('does not answer')]])
    gate.open()
    await vi.advanceTimersByTimeAsync(2 * limit().keepMs)
    expect(kept).toEqual([['a']])
    await runner.stop()
  } finally {
    vi.useRealTimers()
  }
})

test('behavior: a queue that had fewer jobs than there are slots is asked again once it is woken, not before', async () => {
  const fetched: Fetched = [job]
  let fetches = 0
  const { queue, completed } = createQueue(async () => {
    fetches++
    return fetched.splice(0)
  })
  const runner = runQueue({ name: 'mails.send', queue, handle: async () => {}, log }, limit())
  await settle()
  expect({ completed, fetches }).toEqual({ completed: ['a'], fetches: 1 })
  runner.poll()
  await settle()
  expect(fetches).toBe(2)
  await runner.stop()
})

test.each([
  { nextMs: 900, askedAt: [0, 901] },
  { nextMs: 0.4, askedAt: [0, 500] },
  { nextMs: 1_000, askedAt: [0, 1_001] },
  // A poll comes before.
  { nextMs: 1_000.1, askedAt: [0] },
  { nextMs: undefined, askedAt: [0] },
])(
  'behavior: a queue is asked again when its next job is due, in $nextMs ms',
  async ({ nextMs, askedAt }) => {
    vi.useFakeTimers()
    try {
      const startedAt = Date.now()
      const seen: number[] = []
      const { queue } = createQueue(
        async () => {
          seen.push(Date.now() - startedAt)
          return []
        },
        () => (seen.length === 1 ? nextMs : undefined),
      )
      const runner = runQueue({ name: 'mails.send', queue, handle: async () => {}, log }, limit())
      await vi.advanceTimersByTimeAsync(60_000)
      expect(seen).toEqual(askedAt)
      await runner.stop()
    } finally {
      vi.useRealTimers()
    }
  },
)

test('behavior: only a poll asks for the jobs of processes that are gone, also after one that found no free slot', async () => {
  const gate = createGate<void>()
  const asked: boolean[] = []
  const { queue } = createQueue(async () => [])
  const fetched: Fetched = [job]
  queue.fetch = async (_, isPoll) => {
    asked.push(isPoll)
    return { jobs: fetched.splice(0), nextMs: undefined }
  }
  const runner = runQueue({ name: 'mails.send', queue, handle: () => gate.opened, log }, limit(1))
  await settle()
  runner.poll()
  await settle()
  expect(asked).toEqual([true])
  gate.open()
  await settle()
  runner.wake()
  await settle()
  runner.poll()
  await settle()
  expect(asked).toEqual([true, true, false, true])
  await runner.stop()
})

test('behavior: a queue is asked when a job that failed is due again', async () => {
  let fetches = 0
  const fetched: Fetched = [job]
  const { queue } = createQueue(async () => {
    fetches++
    return fetched.splice(0)
  })
  const runner = runQueue(
    { name: 'mails.send', queue, handle: () => Promise.reject(new Error('no')), log },
    limit(),
  )
  await settle()
  expect(fetches).toBe(2)
  await runner.stop()
})

test('behavior: a job that waited continues only in a free slot, and no job is fetched without one', async () => {
  const waiting: Fetched = ['a', 'b'].map((id) => ({ id, claim: id, data: id, starts: 1 }))
  const asked: number[] = []
  const { queue, completed } = createQueue(async (limit) => {
    asked.push(limit)
    return waiting.splice(0, limit)
  })
  const gates = { a: createGate<void>(), b: createGate<void>() }
  const seen: string[] = []
  const limits = limit(1)
  const handle = async (id: unknown) => {
    seen.push(`${id} begins`)
    if (id === 'a') await runOutsideSlot(limits.slots, () => gates.a.opened)
    else await gates.b.opened
    seen.push(`${id} ends`)
  }
  const runner = runQueue({ name: 'orders.deliver', queue, handle, log }, limits)
  await expect.poll(() => seen).toEqual(['a begins', 'b begins'])
  gates.a.open()
  runner.wake()
  await settle()
  expect(seen).toEqual(['a begins', 'b begins'])
  gates.b.open()
  await expect.poll(() => completed).toEqual(['b', 'a'])
  expect(seen).toEqual(['a begins', 'b begins', 'b ends', 'a ends'])
  await settle()
  expect(new Set(asked)).toEqual(new Set([1]))
  await runner.stop()
})

test('behavior: a waiting job leaves its slot to others, and comes back before those that have not started', async () => {
  const waiting: Fetched = ['a', 'b', 'c'].map((id) => ({ id, claim: id, data: id, starts: 1 }))
  const { queue, completed } = createQueue(async (limit) => waiting.splice(0, limit))
  const seen: string[] = []
  const gates = { a: createGate<void>(), b: createGate<void>() }
  const limits = limit(1)
  const handle = async (id: unknown) => {
    seen.push(`${id} begins`)
    if (id === 'a') await runOutsideSlot(limits.slots, () => gates.a.opened)
    if (id === 'b') await gates.b.opened
    seen.push(`${id} ends`)
  }
  const runner = runQueue({ name: 'orders.deliver', queue, handle, log }, limits)
  await expect.poll(() => seen).toEqual(['a begins', 'b begins'])
  gates.a.open()
  await gates.a.opened
  gates.b.open()
  await expect.poll(() => completed).toEqual(['b', 'a', 'c'])
  expect(seen).toEqual(['a begins', 'b begins', 'b ends', 'a ends', 'c begins', 'c ends'])
  await runner.stop()
})

test('error: queues that cannot be read are reported once for all, and asked again less and less often', async () => {
  vi.useFakeTimers()
  const lines: string[] = []
  const note = (_: object, message: string) => void lines.push(message)
  const outage = createOutageLog({ ...log, warn: note, info: note })
  let isAway = true
  const askedAt: number[] = []
  const startedAt = Date.now()
  const begin = (name: string) => {
    const { queue } = createQueue(async () => {
      if (name === 'mails.send') askedAt.push((Date.now() - startedAt) / 1_000)
      if (isAway) throw new Error('the database is away')
      return []
    })
    return runQueue({ name, queue, handle: async () => {}, log }, limit(4, outage))
  }
  const runners = ['mails.send', 'webhooks.send'].map(begin)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(askedAt).toEqual([0, 2, 6, 10, 14, 18])
  expect(lines).toEqual(['the job queue does not answer; it is asked again'])
  isAway = false
  // A process that hears of the database again does not wait for its turn.
  for (const runner of runners) runner.wake()
  await vi.advanceTimersByTimeAsync(3_500)
  expect(askedAt.slice(6)).toEqual([20])
  expect(lines.slice(1)).toEqual(['the job queue answers again'])
  vi.useRealTimers()
  await Promise.all(runners.map((runner) => runner.stop()))
})
