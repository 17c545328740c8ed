import { expect, test } from 'vitest'
import { memoizeAsync } from '#base/lib/memoizeAsync.js'

test('default: one call at a time, and one result for a while', async () => {
  let nowMs = 0
  let count = 0
  let answer = () => {}
  const ask = memoizeAsync(
    () => {
      const own = ++count
      return new Promise<number>((resolve) => {
        answer = () => resolve(own)
      })
    },
    1_000,
    () => nowMs,
  )
  const first = [ask(), ask()]
  nowMs = 60_000
  first.push(ask())
  answer()
  expect(await Promise.all(first)).toEqual([1, 1, 1])
  nowMs += 999
  expect(await ask()).toBe(1)
  nowMs += 1
  const second = ask()
  answer()
  expect(await second).toBe(2)
})

test('error: a failed call is repeated', async () => {
  let count = 0
  const ask = memoizeAsync(
    async () => {
      if (++count === 1) throw new Error('away')
      return count
    },
    1_000,
    () => 0,
  )
  await expect(ask()).rejects.toThrow('away')
  expect(await ask()).toBe(2)
})
