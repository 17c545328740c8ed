import { describe, expect, test } from 'vitest'
import type { BlockRef, ChainPort } from '#base/ports/chain.js'
import { reorgDepth } from '#base/watch/reorgDepth.js'
import { createFakeChain } from '../../helpers/createFakeChain.js'

const fiveMinutes = 300_000

/** A chain with only the times of its blocks. */
const createPacedChain = (options: { blockMs: number; confirmations?: number; isPruned?: boolean }) => {
  const { blockMs, confirmations = 1, isPruned = false } = options
  const { port } = createFakeChain({ now: () => 0, confirmations })
  const state = { blockMs, read: [] as bigint[] }
  const blockAt = (number: bigint): BlockRef => ({
    number,
    hash: `${number}`,
    timestampMs: Number(number) * state.blockMs,
  })
  const chain: ChainPort = {
    ...port,
    getBlock: async (number) => {
      state.read.push(number)
      return isPruned ? undefined : blockAt(number)
    },
  }
  return { state, depthAt: (head: bigint) => reorgDepth(chain, blockAt(head), fiveMinutes) }
}

describe('reorgDepth', () => {
  test.each([
    ['two seconds', { blockMs: 2000 }, 151n],
    ['a quarter of a second', { blockMs: 250 }, 1201n],
    ['twelve seconds', { blockMs: 12_000 }, 26n],
  ])('default: five minutes of blocks of %s', async (_, pace, depth) => {
    expect(await createPacedChain(pace).depthAt(1_000_000n)).toBe(depth)
  })

  test('parameters: the minimum, as many as a payment needs, the maximum, not measurable', async () => {
    expect(await createPacedChain({ blockMs: 600_000 }).depthAt(1000n)).toBe(12n)
    expect(await createPacedChain({ blockMs: 600_000, confirmations: 64 }).depthAt(1000n)).toBe(64n)
    expect(await createPacedChain({ blockMs: 1 }).depthAt(1000n)).toBe(1800n)
    expect(await createPacedChain({ blockMs: 2000, isPruned: true }).depthAt(1000n)).toBe(1800n)
    expect(await createPacedChain({ blockMs: 2000 }).depthAt(0n)).toBe(12n)
  })

  test('behavior: the pace is measured now and then, and again after it changed', async () => {
    const { state, depthAt } = createPacedChain({ blockMs: 2000 })
    await depthAt(1000n)
    for (let head = 1000n; head < 1150n; head++) await depthAt(head)
    expect(state.read).toEqual([850n])
    state.blockMs = 250
    expect(await depthAt(1150n)).toBe(1201n)
    expect(await depthAt(10n)).toBe(1201n)
    expect(state.read).toEqual([850n, 1000n, 0n])
  })
})
