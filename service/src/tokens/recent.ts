/** Values that are cached for a time. */
export type Recent<Value> = {
  get(key: string, make: () => Value, nowMs: number): Value
  /** Caches one value for another time than usual. */
  keepUntil(key: string, untilMs: number): void
}

/** Caches the newest values, up to a number, each for a time. @units milliseconds */
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
