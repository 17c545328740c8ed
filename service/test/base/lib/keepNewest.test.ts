import { expect, test, vi } from 'vitest'
import { keepNewest } from '#base/lib/keepNewest.js'

test('default: a result is made once', () => {
  const make = vi.fn((key: string) => `${key}!`)
  const keep = keepNewest(2, make)
  expect([keep('a'), keep('a'), keep('b')]).toEqual(['a!', 'a!', 'b!'])
  expect(make).toHaveBeenCalledTimes(2)
})

test('behavior: the one that was kept first makes room', () => {
  const make = vi.fn((key: string) => key)
  const keep = keepNewest(2, make)
  for (const key of ['a', 'b', 'c', 'c', 'b', 'a']) keep(key)
  expect(make.mock.calls.flat()).toEqual(['a', 'b', 'c', 'a'])
})
