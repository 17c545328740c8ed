import { expect, test } from 'vitest'
import { type BulkheadOptions, createBulkhead } from '#adapters/jobs/createBulkhead.js'
import { ServiceError } from '#base/errors.js'

const timedOut = new ServiceError('chain-unavailable', 'it hung')

const settle = () => new Promise(setImmediate)

/** Tasks of wallets under one limit. The test decides when each is sent, and how it ends. */
const open = (options: Partial<BulkheadOptions> = {}) => {
  let nowMs = 1_000_000
  const bulkhead = createBulkhead(() => nowMs, {
    maxTasks: 9,
    maxStuckWallets: 1,
    slowMs: 60_000,
    ...options,
  })
  const begun = new Map<string, { send: () => void; end: (error?: Error) => void }>()
  const begin = async (wallet: string, name = wallet): Promise<unknown> => {
    const task = (send: () => void) =>
      new Promise<void>((resolve, reject) => {
        begun.set(name, { send, end: (error) => (error ? reject(error) : resolve()) })
      })
    const outcome = bulkhead(task, wallet).catch((error: unknown) => error)
    await settle()
    return outcome
  }
  const get = (name: string) => {
    const task = begun.get(name)
    if (!task) throw new Error(`${name} has not begun`)
    return task
  }
  /** Starts a task without waiting for its end. */
  const start = async (wallet: string, name = wallet) => {
    void begin(wallet, name)
    await settle()
  }
  return {
    start,
    names: () => [...begun.keys()],
    send: async (name: string) => {
      get(name).send()
      await settle()
    },
    end: async (name: string, error?: Error) => {
      get(name).end(error)
      await settle()
    },
    /** Makes one task of each wallet fail after a while. */
    failEach: async (
      wallets: readonly string[],
      failure: { afterMs: number; error: Error; isSent?: boolean },
    ) => {
      for (const wallet of wallets) await start(wallet)
      nowMs += failure.afterMs
      for (const wallet of wallets) {
        if (failure.isSent) get(wallet).send()
        get(wallet).end(failure.error)
        await settle()
      }
      begun.clear()
    },
  }
}

test('behavior: another task of a wallet that has a place begins although all places are taken', async () => {
  const { start, names } = open({ maxTasks: 2 })
  for (const [wallet, name] of [
    ['a', 'a1'],
    ['b', 'b1'],
    ['c', 'c1'],
    ['a', 'a2'],
  ] as const) {
    await start(wallet, name)
  }
  expect(names()).toEqual(['a1', 'b1', 'a2'])
})

test('behavior: a task that is sent and then ends frees its place once', async () => {
  const { start, names, send, end } = open({ maxTasks: 1 })
  await start('a', 'a1')
  await start('a', 'a2')
  await start('b', 'b1')
  await send('a1')
  await send('a1')
  await end('a1')
  expect(names()).toEqual(['a1', 'a2'])
  await end('a2')
  expect(names()).toEqual(['a1', 'a2', 'b1'])
})

test('behavior: wallets that got stuck wait for each other, and for no other wallet', async () => {
  const { start, names, failEach } = open()
  await failEach(['a', 'b'], { afterMs: 60_000, error: timedOut })
  for (const wallet of ['c', 'a', 'b']) await start(wallet)
  expect(names()).toEqual(['c', 'a'])
})

test.each(['send', 'end'] as const)(
  'behavior: once a wallet that got stuck succeeds, by %s, all of them count as others do',
  async (step) => {
    const { start, names, failEach, ...world } = open()
    await failEach(['a', 'b', 'c'], { afterMs: 60_000, error: timedOut })
    for (const wallet of ['a', 'b', 'c']) await start(wallet)
    expect(names()).toEqual(['a'])
    await world[step]('a')
    expect(names()).toEqual(['a', 'b', 'c'])
  },
)

test('behavior: the success of another wallet says nothing about those that got stuck', async () => {
  const { start, names, end, failEach } = open()
  await failEach(['a', 'b'], { afterMs: 60_000, error: timedOut })
  for (const wallet of ['a', 'b', 'c']) await start(wallet)
  await end('c')
  expect(names()).toEqual(['a', 'c'])
})

test.each([
  ['at once', { afterMs: 59_999, error: timedOut }],
  ['after it was sent', { afterMs: 60_000, error: timedOut, isSent: true }],
  ['by a mistake in a program', { afterMs: 60_000, error: new Error('bug') }],
  ['by what was asked for', { afterMs: 60_000, error: new ServiceError('input-invalid', 'no') }],
  [
    'by a node that is away',
    { afterMs: 60_000, error: new ServiceError('chain-unavailable', 'away', { isOutage: true }) },
  ],
])('behavior: a wallet whose task fails %s is not stuck', async (_, failure) => {
  const { start, names, failEach } = open()
  await failEach(['a', 'b'], failure)
  for (const wallet of ['a', 'b']) await start(wallet)
  expect(names()).toEqual(['a', 'b'])
})
