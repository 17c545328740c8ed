/** Values that are kept for a while, so that they are not made again for everybody who asks. */
export type Recent<Value> = {
  get(key: string, make: () => Value, nowMs: number): Value
  /** Has a value made again after another while than usual. */
  keepUntil(key: string, untilMs: number): void
}

/** Keeps so many values at most, the newest, each for so long. @units milliseconds */
export const createRecent = <Value>(most: number, keptMs: number): Recent<Value> => {
  const kept = new Map<string, { value: Value; untilMs: number }>()
  return {
    get: (key, make, nowMs) => {
      const known = kept.get(key)
      if (known && nowMs < known.untilMs) return known.value
      kept.delete(key)
      const value = make()
      kept.set(key, { value, untilMs: nowMs + keptMs })
      for (const oldest of kept.keys()) {
        if (kept.size <= most) break
        kept.delete(oldest)
      }
      return value
    },
    keepUntil: (key, untilMs) => {
      const known = kept.get(key)
      if (known) known.untilMs = untilMs
    },
  }
}
