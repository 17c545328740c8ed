'use client'

import { useMemo, useSyncExternalStore } from 'react'
import { isSame } from './isSame.js'
import type { Store } from './store.js'

/** Creates a reader that returns the same object while the slice's fields are unchanged. */
const createReader = <Value, Slice extends object>(get: () => Value, select: (value: Value) => Slice) => {
  let last: { value: Value; slice: Slice } | undefined
  return (): Slice => {
    const value = get()
    if (last && Object.is(last.value, value)) return last.slice
    const slice = select(value)
    last = { value, slice: last && isSame(last.slice, slice) ? last.slice : slice }
    return last.slice
  }
}

/**
 * Reads a flat slice of a store and re-renders only when a field of it changes.
 *
 * @param select - A function that stays the same between renders.
 * @param place - The only place of the store's value that the slice depends on, if there is one.
 */
export const useSlice = <Value, Slice extends object>(
  store: Store<Value>,
  select: (value: Value) => Slice,
  place?: number,
): Slice => {
  const [subscribe, read, readFirst] = useMemo(
    () =>
      [
        (listener: () => void) => store.subscribe(listener, place),
        createReader(store.get, select),
        createReader(() => store.first, select),
      ] as const,
    [store, select, place],
  )
  return useSyncExternalStore(subscribe, read, readFirst)
}
