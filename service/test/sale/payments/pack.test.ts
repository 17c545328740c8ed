import { expect, test } from 'vitest'
import { groupBy } from '#base/lib/groupBy.js'
import { pack } from '#sale/payments/pack.js'

const items = Array.from({ length: 30 }, (_, index) => ({ key: `${index % 15}`, index }))
const list = (orderId: string, count: number) => ({
  orderId,
  items: Array.from({ length: count }, (_, at) => at),
})

test('default: groups keep the order of their items', () => {
  const groups = groupBy(items, ({ key }) => key)
  expect(groups.size).toBe(15)
  expect(groups.get('3')).toEqual([items[3], items[18]])
})

test('behavior: a transaction writes few orders, few items, and each order once', () => {
  const few = pack(
    Array.from({ length: 45 }, (_, at) => list(`${at}`, 1)),
    100,
  )
  expect(few.map((each) => each.length)).toEqual([20, 20, 5])
  const many = pack([list('a', 90), list('b', 10), list('c', 1)], 100)
  expect(many.map((each) => each.map(({ orderId }) => orderId))).toEqual([['a', 'b'], ['c']])
  const long = pack([list('a', 150), list('b', 1)], 100)
  expect(long.map((each) => each.map(({ orderId, items }) => [orderId, items.length]))).toEqual([
    [['a', 100]],
    [
      ['a', 50],
      ['b', 1],
    ],
  ])
})
