'use client'

import { useMemo, useSyncExternalStore } from 'react'
import type { Store } from './store.js'

const isSame = (a: object, b: object): boolean => {
  const entriesOfA = Object.entries(a)
  const entriesOfB = new Map(Object.entries(b))
  return (
    entriesOfA.length === entriesOfB.size &&
    entriesOfA.every(([key, value]) => entriesOfB.has(key) && Object.is(entriesOfB.get(key), value))
  )
}

/** Remembers the last slice and gives the same object again for as long as its fields are the same. */
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
 * Reads a flat slice of a store and renders again only when a field of it changed.
 *
 * @param select - A function that stays the same between renders.
 */
export const useSlice = <Value, Slice extends object>(
  store: Store<Value>,
  select: (value: Value) => Slice,
): Slice => {
  const [read, readFirst] = useMemo(
    () => [createReader(store.get, select), createReader(() => store.first, select)] as const,
    [store, select],
  )
  return useSyncExternalStore(store.subscribe, read, readFirst)
}
