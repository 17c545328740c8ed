import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createRates } from '#adapters/rates/createRates.js'
import type { Config } from '#base/config/config.js'
import { createFakeChain } from '../../helpers/createFakeChain.js'

const feed = '0x00000000000000000000000000000000000000fe'
const url = 'https://rates.example/usd'
let nowMs = Date.parse('2026-02-01T12:00:00Z')
let chain = createFakeChain({ now: () => nowMs })
let answer: unknown
let asked = 0

beforeEach(() => {
  chain = createFakeChain({ now: () => nowMs })
  chain.state.rateFeeds.set(feed, { rate: '3000', updatedAtMs: nowMs })
  answer = { updatedAt: new Date(nowMs).toISOString(), rates: { eth: '2999', pol: 0.5, bad: '-1', odd: 'x' } }
  asked = 0
})

const log = { info: () => {}, warn: () => {}, error: () => {} }
const open = (config: Partial<Config['rates']>) =>
  createRates(
    {
      chains: { enabled: [chain.port.chain], get: () => chain.port },
      safeFetch: async () => {
        asked += 1
        if (answer === undefined) throw new Error('no answer')
        return { bytes: new TextEncoder().encode(JSON.stringify(answer)), contentType: 'application/json' }
      },
      log,
      now: () => nowMs,
    },
    { table: {}, feeds: [], url: undefined, maxAgeMs: 3_600_000, ...config },
  )
const feeds = [{ chain: 'base-sepolia', currency: 'eth', address: feed }]

describe('createRates', () => {
  test('default: without any source there is no rate', async () => {
    const { usd, isAway } = await open({}).read()
    expect({ usd, isAway: isAway('eth') }).toEqual({ usd: {}, isAway: false })
  })

  test('parameters: a table', async () => {
    expect((await open({ table: { usdc: '1' } }).read()).usd).toEqual({ usdc: '1' })
  })

  test('parameters: a price feed', async () => {
    expect((await open({ feeds }).read()).usd).toEqual({ eth: '3000' })
  })

  test('parameters: a URL: entries that are not positive decimals are left out, and the table takes precedence', async () => {
    expect((await open({ url, table: { pol: '0.6' } }).read()).usd).toEqual({ eth: '2999', pol: '0.6' })
  })

  test('behavior: a URL does not say what a dollar is worth', async () => {
    answer = { updatedAt: new Date(nowMs).toISOString(), rates: { USD: '0.01', eth: '2999' } }
    expect((await open({ url }).read()).usd).toEqual({ eth: '2999' })
  })

  test('behavior: a rate that jumps takes its currency off sale until it is back, or has stayed there for an hour', async () => {
    const rates = open({ url })
    const readAt = async (eth: string, passedMs = 15_000) => {
      nowMs += passedMs
      answer = { updatedAt: new Date(nowMs).toISOString(), rates: { eth, pol: 0.5 } }
      return (await rates.read()).usd
    }
    expect(await readAt('3000')).toEqual({ eth: '3000', pol: '0.5' })
    // Whatever it does in small steps is a market.
    for (const eth of ['3700', '4500', '5500', '4500', '3700', '3000'])
      expect(await readAt(eth)).toEqual({ eth, pol: '0.5' })
    for (const eth of ['3', '3000000', '3751', '2399']) expect(await readAt(eth)).toEqual({ pol: '0.5' })
    expect(await readAt('3100')).toEqual({ eth: '3100', pol: '0.5' })
    for (let minute = 1; minute < 60; minute++) expect(await readAt('1500', 60_000)).toEqual({ pol: '0.5' })
    expect(await readAt('1500', 60_000)).toEqual({ eth: '1500', pol: '0.5' })
  })

  test.each(['100000000000000000000', '10000001', '0.0000000009'])(
    'behavior: a first rate of %s dollars, to which nothing can be compared, takes its currency off sale',
    async (eth) => {
      answer = { updatedAt: new Date(nowMs).toISOString(), rates: { eth, pol: '0.5' } }
      expect((await open({ url }).read()).usd).toEqual({ pol: '0.5' })
      chain.state.rateFeeds.set(feed, { rate: eth, updatedAtMs: nowMs })
      answer = undefined
      expect((await open({ feeds }).read()).usd).toEqual({})
    },
  )

  test('behavior: a second source bounds a price feed, and confirms its jumps', async () => {
    const rates = open({ url, feeds })
    const readAt = async (fed: string, told?: string) => {
      nowMs += 15_000
      chain.state.rateFeeds.set(feed, { rate: fed, updatedAtMs: nowMs })
      answer = { updatedAt: new Date(nowMs).toISOString(), rates: told === undefined ? {} : { eth: told } }
      return (await rates.read()).usd.eth
    }
    expect(await readAt('3000', '2990')).toBe('3000')
    expect(await readAt('30', '2990')).toBeUndefined()
    expect(await readAt('3000', '30')).toBeUndefined()
    expect(await readAt('1500', '1510')).toBe('1500')
    expect(await readAt('3000')).toBeUndefined()
  })

  test('behavior: after the clock was set back, sources are asked again at once', async () => {
    const rates = open({ url })
    nowMs += 3_600_000
    answer = { updatedAt: new Date(nowMs).toISOString(), rates: { eth: '2999' } }
    await rates.read()
    nowMs -= 3_600_000
    answer = { updatedAt: new Date(nowMs).toISOString(), rates: { eth: '3001' } }
    expect((await rates.read()).usd).toEqual({ eth: '3001' })
  })

  test('behavior: a stale feed takes its currency off sale, whatever another source reports', async () => {
    const rates = open({ feeds, url })
    expect((await rates.read()).usd).toEqual({ eth: '3000', pol: '0.5' })
    chain.state.rateFeeds.set(feed, { rate: '3000', updatedAtMs: nowMs - 3_600_001 })
    nowMs += 15_000
    const { usd, isAway } = await rates.read()
    expect({ usd, isAway: isAway('eth') }).toEqual({ usd: { pol: '0.5' }, isAway: false })
  })

  test('behavior: a rate becomes stale between two reads', async () => {
    const rates = open({ feeds: feeds.map((one) => ({ ...one, maxAgeMs: 10_000 })) })
    expect((await rates.read()).usd).toEqual({ eth: '3000' })
    nowMs += 10_001
    expect((await rates.read()).usd).toEqual({})
  })

  test('behavior: a rate from the future does not count', async () => {
    chain.state.rateFeeds.set(feed, { rate: '3000', updatedAtMs: nowMs + 600_000 })
    expect((await open({ feeds }).read()).usd).toEqual({})
  })

  test('behavior: an outage of a source is reported; its last rates count until they are too old', async () => {
    const rates = open({ feeds, url })
    await rates.read()
    chain.state.isAway = true
    answer = undefined
    nowMs += 15_000
    const held = await rates.read()
    expect({ usd: held.usd, isAway: held.isAway('eth') }).toEqual({
      usd: { eth: '3000', pol: '0.5' },
      isAway: false,
    })
    nowMs += 3_600_000
    const gone = await rates.read()
    expect({ usd: gone.usd, away: ['eth', 'pol'].map(gone.isAway) }).toEqual({ usd: {}, away: [true, true] })
  })

  test('behavior: a source that hangs delays reads by two seconds at most; its last rate is used while it is fresh', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const rates = open({ feeds, table: { usdc: '1' } })
    expect((await rates.read()).usd).toEqual({ eth: '3000', usdc: '1' })
    const { readRateFeed } = chain.port
    let answerLate = (_: { rate: string; updatedAtMs: number }) => {}
    chain.port.readRateFeed = () => new Promise((resolve) => (answerLate = resolve))
    const readNow = (wait = 0) => {
      const reading = rates.read()
      return vi.advanceTimersByTimeAsync(wait).then(() => Promise.race([reading, 'waiting' as const]))
    }
    nowMs += 15_000
    expect(await readNow(1_999)).toBe('waiting')
    expect(await readNow(1)).toMatchObject({ usd: { eth: '3000', usdc: '1' } })
    expect(await readNow()).toMatchObject({ usd: { eth: '3000', usdc: '1' } })
    nowMs += 3_600_000
    const gone = await readNow(2_000)
    if (gone === 'waiting') throw new Error('the read waits for the source')
    expect({ usd: gone.usd, isAway: gone.isAway('eth') }).toEqual({ usd: { usdc: '1' }, isAway: true })
    const answerFirst = answerLate
    chain.port.readRateFeed = readRateFeed
    chain.state.rateFeeds.set(feed, { rate: '3100', updatedAtMs: nowMs })
    nowMs += 15_000
    expect(await readNow()).toMatchObject({ usd: { eth: '3100' } })
    // An answer that arrives after a newer one is dropped.
    answerFirst({ rate: '2000', updatedAtMs: nowMs })
    expect(await readNow()).toMatchObject({ usd: { eth: '3100' } })
  })

  test('behavior: one read serves all orders for a while, including concurrent ones', async () => {
    const rates = open({ url })
    await Promise.all([rates.read(), rates.read()])
    nowMs += 14_000
    await rates.read()
    expect(asked).toBe(1)
    nowMs += 1_000
    await rates.read()
    expect(asked).toBe(2)
  })

  test('error: an answer without a time does not count', async () => {
    answer = { rates: { eth: '3000' } }
    const { usd, isAway } = await open({ url }).read()
    expect({ usd, isAway: isAway('eth') }).toEqual({ usd: {}, isAway: true })
  })
})
