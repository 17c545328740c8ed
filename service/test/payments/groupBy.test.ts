import { expect, test } from 'vitest'
import { chunk, groupBy } from '../../src/payments/groupBy.js'

test('default: items of a key stay together, in their order', () => {
  const items = ['tea 1', 'cup 1', 'tea 2', 'tea 3']
  const groups = groupBy(items, (item) => item.slice(0, 3))
  expect([...groups]).toEqual([
    ['tea', ['tea 1', 'tea 2', 'tea 3']],
    ['cup', ['cup 1']],
  ])
  expect([...groupBy([], String)]).toEqual([])
})

test('default: all chunks except the last are full, and no item is left out', () => {
  expect(chunk([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]])
  expect(chunk([1, 2, 3, 4], 2)).toEqual([
    [1, 2],
    [3, 4],
  ])
  expect(chunk([], 2)).toEqual([])
})
