import type { Hex, PublicClient } from 'viem'

/** More blocks than one search reads again. */
const maxTimes = 10_000
const times = new WeakMap<PublicClient, Map<string, number>>()

/** Returns when blocks were made that were read with a client, in epoch milliseconds by their hashes. */
export const listBlockTimes = (client: PublicClient): ReadonlyMap<string, number> =>
  times.get(client) ?? new Map()

/** Keeps when a block was made. Every search reads the same blocks, and their times never change. */
export const keepBlockTime = (
  client: PublicClient,
  { hash, timestamp }: { hash: Hex | string; timestamp: bigint },
): void => {
  const before = times.get(client)
  const known = before && before.size < maxTimes ? before : new Map<string, number>()
  times.set(client, known)
  known.set(hash, Number(timestamp) * 1000)
}
