import type { PublicClient } from 'viem'
import { memoizeAsync } from '#base/lib/memoizeAsync.js'

/** Shares one read among all callers that ask while it runs. In a sale, hundreds ask for the same at once. */
export const shareInFlight = <Result>(read: (client: PublicClient) => Promise<Result>) => {
  const running = new WeakMap<PublicClient, Promise<Result>>()
  return (client: PublicClient): Promise<Result> => {
    const known = running.get(client)
    if (known) return known
    const reading = read(client).finally(() => running.delete(client))
    running.set(client, reading)
    return reading
  }
}

/** Shares one read of each key in the same way. */
export const shareInFlightBy = <Key, Result>(read: (client: PublicClient, key: Key) => Promise<Result>) => {
  const running = new WeakMap<PublicClient, Map<Key, Promise<Result>>>()
  return (client: PublicClient, key: Key): Promise<Result> => {
    const own = running.get(client) ?? new Map<Key, Promise<Result>>()
    running.set(client, own)
    const reading = own.get(key) ?? read(client, key).finally(() => own.delete(key))
    own.set(key, reading)
    return reading
  }
}

/** How long what a block says is shared with callers that need no more than a recent one. */
const recentMs = 1_000

/** Shares one read among all callers of a second. Only for what may be a block old, such as the fees of a quote. */
export const shareRecent = <Result>(
  read: (client: PublicClient) => Promise<Result>,
  now: () => number = Date.now,
) => {
  const recent = new WeakMap<PublicClient, () => Promise<Result>>()
  return (client: PublicClient): Promise<Result> => {
    const known = recent.get(client) ?? memoizeAsync(() => read(client), recentMs, now)
    recent.set(client, known)
    return known()
  }
}
