/** Results of reads, by key. */
export type Cache<Value> = {
  /** Returns the result of a key. Concurrent callers share one read. A failed one is not kept, nor is `undefined`. */
  get(key: string, read: () => Promise<Value>): Promise<Value>
  /** Forgets all results, also those of reads that are under way. */
  clear(): void
}

/**
 * Creates a cache in memory.
 *
 * @param maxSize - How many results are kept. The one that was not asked for the longest makes room for a new one.
 * @param keepMs - How long a result is kept, from the start of its read.
 */
export const createCache = <Value>(maxSize: number, keepMs: number, now: () => number): Cache<Value> => {
  const kept = new Map<string, { value: Promise<Value>; readAtMs: number }>()
  return {
    get: (key, read) => {
      const known = kept.get(key)
      kept.delete(key)
      const nowMs = now()
      if (known && nowMs - known.readAtMs < keepMs) {
        kept.set(key, known)
        return known.value
      }
      const entry = { value: read(), readAtMs: nowMs }
      kept.set(key, entry)
      const [oldest] = kept.keys()
      if (kept.size > maxSize && oldest !== undefined) kept.delete(oldest)
      const forget = () => {
        if (kept.get(key) === entry) kept.delete(key)
      }
      entry.value.then((value) => {
        if (value === undefined) forget()
      }, forget)
      return entry.value
    },
    clear: () => kept.clear(),
  }
}
