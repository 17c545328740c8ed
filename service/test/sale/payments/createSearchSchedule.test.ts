import { expect, test } from 'vitest'
import type { ChainUse } from '#sale/payments/chainUse.js'
import { createSearchSchedule } from '#sale/payments/createSearchSchedule.js'
import { createFakeChain } from '../../helpers/createFakeChain.js'

const minuteMs = 60_000
const options = {
  lingerMs: 2 * minuteMs,
  lateUseEveryMs: minuteMs,
  restEveryMs: 10 * minuteMs,
  behindEveryMs: 10_000,
}

/** A chain of which every block was searched, and its schedule. */
const open = ({ isLocal = false } = {}) => {
  const clock = { nowMs: 1_800_000_000_000 }
  const chain = createFakeChain({ now: () => clock.nowMs, isLocal })
  chain.mine(100)
  const asked = { numbers: 0 }
  const { getHeadNumber } = chain.port
  chain.port.getHeadNumber = () => {
    asked.numbers++
    return getHeadNumber()
  }
  const use: ChainUse = {
    isBusy: true,
    hasExpired: false,
    isReported: false,
    isWatched: true,
    cursor: { number: 100n, savedAtMs: clock.nowMs },
  }
  const schedule = createSearchSchedule({ now: () => clock.nowMs }, chain.port, options)
  const search = async () => {
    use.cursor = { number: await getHeadNumber(), savedAtMs: clock.nowMs }
  }
  return { clock, chain, asked, use, schedule, search, isDue: () => schedule.isDue(use) }
}

test('default: a search is due once the number of the newest block has moved', async () => {
  const { chain, asked, schedule, search, isDue } = open()
  expect(await isDue()).toBe(false)
  chain.mine()
  expect(await isDue()).toBe(true)
  await schedule.run(search)
  expect(await isDue()).toBe(false)
  expect(asked.numbers).toBe(3)
})

test('behavior: of a chain that makes several blocks in a pause, the number is not asked for', async () => {
  const { chain, asked, schedule, search, isDue } = open()
  await isDue()
  for (let pause = 0; pause < 5; pause++) {
    chain.mine(3)
    expect(await isDue()).toBe(true)
    await schedule.run(search)
  }
  expect(asked.numbers).toBe(2)
  // It has stopped.
  await isDue()
  expect(await isDue()).toBe(false)
})

test('behavior: after its last order it is due for each block a little longer, then each minute, then each ten', async () => {
  const { clock, chain, asked, use, schedule, search, isDue } = open()
  await isDue()
  use.isBusy = false
  clock.nowMs += minuteMs
  chain.mine()
  expect(await isDue()).toBe(true)
  await schedule.run(search)
  clock.nowMs += minuteMs
  asked.numbers = 0
  expect(await isDue()).toBe(true)
  await schedule.run(search)
  clock.nowMs += minuteMs - 1
  expect(await isDue()).toBe(false)
  clock.nowMs += 1
  expect(await isDue()).toBe(true)
  clock.nowMs += 3 * 60 * minuteMs
  await schedule.run(search)
  clock.nowMs += 10 * minuteMs - 1
  expect(await isDue()).toBe(false)
  clock.nowMs += 1
  expect(await isDue()).toBe(true)
  expect(asked.numbers).toBe(0)
})

test('behavior: where no order waits for money, none is due', async () => {
  const { clock, chain, use, isDue } = open()
  Object.assign(use, { isBusy: false, isWatched: false })
  chain.mine()
  clock.nowMs += 60 * minuteMs
  expect(await isDue()).toBe(false)
})

test('behavior: one that failed is due again, also where blocks are announced', async () => {
  const { chain, schedule, isDue } = open()
  chain.port.announcesHeads = () => true
  await isDue()
  chain.mine()
  schedule.announce(101n)
  expect(await isDue()).toBe(true)
  await expect(schedule.run(() => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await isDue()).toBe(true)
})

test('behavior: a block that is announced before the node shows it is asked for until it does', async () => {
  const { chain, asked, schedule, search, isDue } = open()
  chain.port.announcesHeads = () => true
  await isDue()
  schedule.announce(101n)
  await schedule.run(search)
  asked.numbers = 0
  expect(await isDue()).toBe(false)
  chain.mine()
  expect(await isDue()).toBe(true)
  expect(asked.numbers).toBe(2)
  await schedule.run(search)
  expect(await isDue()).toBe(false)
  expect(asked.numbers).toBe(2)
})

test('behavior: blocks that came just before the node began to announce them are asked for', async () => {
  const { chain, isDue } = open()
  await isDue()
  chain.mine()
  chain.port.announcesHeads = () => true
  expect(await isDue()).toBe(true)
})

test.each([
  [false, [false, true]],
  [true, [true, true]],
])(
  'behavior: a node behind the last search is searched now and then; local (%s): at once',
  async (isLocal, due) => {
    const { clock, chain, schedule, isDue } = open({ isLocal })
    await schedule.run(async () => {})
    chain.state.behind = 30
    const first = await isDue()
    clock.nowMs += options.behindEveryMs
    expect([first, await isDue()]).toEqual(due)
  },
)
