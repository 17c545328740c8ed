/** A value that is replaced as a whole, and those who want to hear of it. */
export type Store<Value> = {
  get(): Value
  /** What it held first: what a server rendered, and what hydration must see again. */
  readonly first: Value
  set(value: Value): void
  subscribe(listener: () => void): () => void
}

/** Makes a store around its first value. */
export const createStore = <Value>(first: Value): Store<Value> => {
  let current = first
  const listeners = new Set<() => void>()
  return {
    first,
    get: () => current,
    set: (value) => {
      if (Object.is(value, current)) return
      current = value
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
