import { act, cleanup, renderHook } from '@testing-library/react'
import { StrictMode } from 'react'
import { afterEach, expect, test } from 'vitest'
import { createStore } from '../../src/internal/store.js'
import { useSlice } from '../../src/internal/useSlice.js'

afterEach(cleanup)

type Value = { a: number; b?: number | undefined }

const selectA = ({ a }: Value) => ({ a })
const selectAll = (value: Value): object => value

test('default', () => {
  const store = createStore<Value>({ a: 1 })
  const { result } = renderHook(() => useSlice(store, selectA), { wrapper: StrictMode })
  act(() => store.set({ a: 2 }))
  expect(result.current).toEqual({ a: 2 })
})

test('behavior: the slice stays the same object while its fields do', () => {
  const store = createStore<Value>({ a: 1, b: 1 })
  const { result } = renderHook(() => useSlice(store, selectA), { wrapper: StrictMode })
  const before = result.current
  act(() => store.set({ a: 1, b: 2 }))
  expect(result.current).toBe(before)
})

test('behavior: a field that comes or goes is a change', () => {
  const store = createStore<Value>({ a: 1 })
  const { result } = renderHook(() => useSlice(store, selectAll), { wrapper: StrictMode })
  act(() => store.set({ a: 1, b: undefined }))
  expect(Object.keys(result.current)).toEqual(['a', 'b'])
  act(() => store.set({ a: 1 }))
  expect(Object.keys(result.current)).toEqual(['a'])
})

test('parameters: place', () => {
  const store = createStore<Value>({ a: 1, b: 1 }, () => [7])
  const { result, rerender } = renderHook(({ place }) => useSlice(store, selectA, place), {
    wrapper: StrictMode,
    initialProps: { place: 6 },
  })
  act(() => store.set({ a: 2, b: 1 }))
  expect(result.current).toEqual({ a: 1 })
  rerender({ place: 7 })
  act(() => store.set({ a: 3, b: 1 }))
  expect(result.current).toEqual({ a: 3 })
})
