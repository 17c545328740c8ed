import { isSame } from './isSame.js'

/** A flat value that is replaced as a whole, with its subscribers. */
export type Store<Value> = {
  get(): Value
  /** The first value: the one that a server rendered, which hydration must see again. */
  readonly first: Value
  set(value: Value): void
  /**
   * Subscribes to changes.
   *
   * @param place - Notifies only of changes to this place of the value; without it, of all changes.
   */
  subscribe(listener: () => void, place?: number): () => void
}

/** Returns the places a change concerns; undefined if it may concern all. */
export type Concern<Value> = (before: Value, after: Value) => readonly number[] | undefined

/**
 * Creates a store around its first value.
 *
 * @param concern - Returns the places of a change. Without it every subscriber is notified of every change.
 */
export const createStore = <Value extends object>(first: Value, concern?: Concern<Value>): Store<Value> => {
  let current = first
  // By place, so that a change costs as much as the number of subscribers it concerns.
  const listeners = new Map<number | undefined, Set<() => void>>()
  return {
    first,
    get: () => current,
    set: (value) => {
      if (isSame(value, current)) return
      const places = concern?.(current, value)
      current = value
      for (const place of places ? [undefined, ...places] : listeners.keys()) {
        for (const listener of listeners.get(place) ?? []) listener()
      }
    },
    subscribe: (listener, place) => {
      const group = listeners.get(place) ?? new Set()
      listeners.set(place, group.add(listener))
      return () => group.delete(listener)
    },
  }
}
