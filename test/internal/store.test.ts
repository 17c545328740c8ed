import { expect, test, vi } from 'vitest'
import { createStore } from '../../src/internal/store.js'

type Value = { items: readonly string[]; note?: string }

const concern = (before: Value, after: Value) =>
  before.note === after.note
    ? [...after.items.keys()].filter((place) => before.items[place] !== after.items[place])
    : undefined

const listen = (store: ReturnType<typeof createStore<Value>>) => {
  const heard: string[] = []
  store.subscribe(() => heard.push('all'))
  for (const place of [0, 1]) store.subscribe(() => heard.push(`${place}`), place)
  return () => heard.splice(0)
}

test('default', () => {
  const store = createStore<Value>({ items: ['a', 'b'] })
  const listener = vi.fn()
  const stop = store.subscribe(listener)
  store.set({ items: [] })
  expect(listener).toHaveBeenCalledOnce()
  expect([store.get(), store.first]).toEqual([{ items: [] }, { items: ['a', 'b'] }])
  stop()
  store.set({ items: ['c'] })
  expect(listener).toHaveBeenCalledOnce()
})

test('parameters: concern', () => {
  const store = createStore<Value>({ items: ['a', 'b'] }, concern)
  const take = listen(store)
  store.set({ items: ['a', 'c'] })
  expect(take()).toEqual(['all', '1'])
  store.set({ items: ['a', 'c'], note: 'for all' })
  expect(take()).toEqual(['all', '0', '1'])
})

test('behavior: without a concern a place hears of everything', () => {
  const store = createStore<Value>({ items: ['a', 'b'] })
  const take = listen(store)
  store.set({ items: ['a', 'c'] })
  expect(take()).toEqual(['all', '0', '1'])
})

test('behavior: a value with the same fields is no change', () => {
  const items = ['a']
  const store = createStore<Value>({ items, note: 'n' })
  const take = listen(store)
  store.set({ items, note: 'n' })
  expect(take()).toEqual([])
})
