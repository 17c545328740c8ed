import { isSame } from './isSame.js'

/** A flat value that is replaced as a whole, and those who want to hear of it. */
export type Store<Value> = {
  get(): Value
  /** What it held first: what a server rendered, and what hydration must see again. */
  readonly first: Value
  set(value: Value): void
  /**
   * Hears of changes.
   *
   * @param place - Only of those that concern this place of the value; of all without it.
   */
  subscribe(listener: () => void, place?: number): () => void
}

/** Tells which places a change concerns; undefined when it may be all. */
export type Concern<Value> = (before: Value, after: Value) => readonly number[] | undefined

/**
 * Makes a store around its first value.
 *
 * @param concern - What a change means for places; without it everybody hears of every change.
 */
export const createStore = <Value extends object>(first: Value, concern?: Concern<Value>): Store<Value> => {
  let current = first
  // By place, so that a change costs as much as it concerns and not as many as listen.
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
