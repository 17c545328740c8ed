import { describe, expect, test } from 'vitest'
import {
  type CountStore,
  createMemoryCounts,
  createPostgresCounts,
  createRateLeases,
} from '#interface/http/rateLeases.js'
import { databaseKinds } from '../../helpers/databaseKinds.js'

/** Processes that count against one limit. Only the test moves the clock. */
const openProcesses = (limit: number, store: CountStore, count = 2) => {
  let nowMs = 1_800_000_000_000
  let statements = 0
  const counted: CountStore = {
    add: (...parameters) => {
      statements++
      return store.add(...parameters)
    },
    remove: (...parameters) => {
      statements++
      return store.remove(...parameters)
    },
  }
  const processes = Array.from({ length: count }, () =>
    createRateLeases({ name: 'reads', limit, store: counted }, () => nowMs),
  )
  /** Sends requests to the processes in turn, all at once, and returns how many are allowed. */
  const send = async (requests: number, key = 'a'): Promise<number> => {
    const sent = Array.from({ length: requests }, (_, at) => processes[at % count]?.count(key))
    return (await Promise.all(sent)).filter((allowance) => allowance?.isAllowed).length
  }
  return {
    processes,
    send,
    statements: () => statements,
    wait: (ms: number) => {
      nowMs += ms
    },
  }
}

const stores = [
  { name: 'memory', open: async () => ({ store: createMemoryCounts(), close: async () => {} }) },
  ...databaseKinds
    .filter(({ name }) => name === 'PostgreSQL')
    .map(({ name, open }) => ({
      name,
      open: async () => {
        const database = await open()
        if (!database.pool) throw new Error('there is no pool')
        return { store: createPostgresCounts(database.pool), close: database.close }
      },
    })),
]

describe.each(stores)('counted in $name', ({ open }) => {
  test('default: one process allows the whole limit, and asks for few of its requests', async () => {
    const { store, close } = await open()
    const { send, statements, wait } = openProcesses(360, store, 1)
    expect(await send(180)).toBe(180)
    expect(statements()).toBeLessThan(20)
    expect(await send(300)).toBe(180)
    wait(60_000)
    expect(await send(400)).toBe(360)
    await close()
  })

  test('behavior: processes together never allow more than the limit, and little less', async () => {
    const { store, close } = await open()
    const { send, wait } = openProcesses(120, store, 4)
    for (let round = 0; round < 3; round++) {
      const allowed = await send(400)
      expect(allowed).toBeLessThanOrEqual(120)
      expect(allowed).toBeGreaterThanOrEqual(100)
      wait(60_000)
    }
    await close()
  })

  test('behavior: a process that holds requests and gets no more leaves the others nearly all', async () => {
    const { store, close } = await open()
    const { processes, wait } = openProcesses(120, store)
    await processes[0]?.count('a')
    let allowed = 0
    while ((await processes[1]?.count('a'))?.isAllowed) allowed++
    expect(allowed).toBe(114)
    // What was held is of this window only.
    wait(60_000)
    for (allowed = 0; (await processes[1]?.count('a'))?.isAllowed; ) allowed++
    expect(allowed).toBe(120)
    expect(await processes[0]?.count('a')).toMatchObject({ isAllowed: false })
    await close()
  })

  test('behavior: the remaining requests count down one by one', async () => {
    const { store, close } = await open()
    const { processes, wait } = openProcesses(40, store, 1)
    const remaining: unknown[] = []
    for (let count = 0; count < 41; count++) remaining.push((await processes[0]?.count('a'))?.remaining)
    expect(remaining).toEqual([...Array.from({ length: 40 }, (_, at) => 39 - at), 0])
    wait(20_000)
    expect(await processes[0]?.count('a')).toMatchObject({ isAllowed: false, limit: 40, resetSeconds: 40 })
    await close()
  })

  test('behavior: requests that are given back may be used, here and by other processes', async () => {
    const { store, close } = await open()
    const { processes, send, wait } = openProcesses(10, store)
    expect(await send(20)).toBe(10)
    for (let count = 0; count < 5; count++) await processes[0]?.giveBack('a')
    wait(1_000)
    let allowed = 0
    while ((await processes[1]?.count('a'))?.isAllowed) allowed++
    while ((await processes[0]?.count('a'))?.isAllowed) allowed++
    expect(allowed).toBe(5)
    // After the window, there is nothing to give back.
    wait(60_000)
    await processes[0]?.giveBack('a')
    expect(await send(20)).toBe(10)
    await close()
  })

  test('behavior: keys have allowances of their own', async () => {
    const { store, close } = await open()
    const { send } = openProcesses(10, store)
    expect(await send(20, 'a')).toBe(10)
    expect(await send(20, 'b')).toBe(10)
    await close()
  })
})

test('error: if the store is away, the caller hears of it, and the next request asks again', async () => {
  const { add, remove } = createMemoryCounts()
  let isAway = true
  const store: CountStore = {
    add: (...parameters) => (isAway ? Promise.reject(new Error('away')) : add(...parameters)),
    remove,
  }
  const { processes } = openProcesses(10, store, 1)
  await expect(processes[0]?.count('a')).rejects.toThrow('away')
  isAway = false
  expect(await processes[0]?.count('a')).toMatchObject({ isAllowed: true, remaining: 9 })
})
