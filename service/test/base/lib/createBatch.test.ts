import { expect, test } from 'vitest'
import { createBatch, createSettledBatch } from '#base/lib/createBatch.js'

/** A batch whose runs end when the test says so. */
const open = () => {
  const runs: {
    items: readonly number[]
    end: (results?: number[]) => void
    fail: (error: Error) => void
  }[] = []
  const add = createBatch(
    (items: readonly number[]) =>
      new Promise<readonly number[]>((resolve, reject) => {
        const end = (results = items.map((item) => item * 10)): void => resolve(results)
        runs.push({ items, end, fail: reject })
      }),
  )
  return { add, runs }
}
const settle = () => new Promise(setImmediate)

test('default: a call that comes alone runs at once, and those that come meanwhile run together', async () => {
  const { add, runs } = open()
  const first = add(1)
  await settle()
  expect(runs.map(({ items }) => items)).toEqual([[1]])
  const later = [add(2), add(3)]
  await settle()
  expect(runs).toHaveLength(1)
  runs[0]?.end()
  expect(await first).toBe(10)
  await settle()
  expect(runs[1]?.items).toEqual([2, 3])
  runs[1]?.end()
  expect(await Promise.all(later)).toEqual([20, 30])
})

test('behavior: calls of the same tick run together', async () => {
  const { add, runs } = open()
  const both = [add(1), add(2)]
  await settle()
  expect(runs.map(({ items }) => items)).toEqual([[1, 2]])
  runs[0]?.end()
  expect(await Promise.all(both)).toEqual([10, 20])
})

test('error: a run that fails fails its own calls only', async () => {
  const { add, runs } = open()
  const failing = add(1)
  await settle()
  const next = add(2)
  runs[0]?.fail(new Error('away'))
  await expect(failing).rejects.toThrow('away')
  await settle()
  runs[1]?.end()
  expect(await next).toBe(20)
})

test('behavior: of a batch whose calls end each by itself, one that fails fails alone', async () => {
  const add = createSettledBatch((items: readonly number[]) =>
    Promise.allSettled(
      items.map(async (item) => {
        if (item < 0) throw new Error('negative')
        return item * 10
      }),
    ),
  )
  const settled = await Promise.allSettled([add(1), add(-1), add(2)])
  expect(settled).toMatchObject([{ value: 10 }, { reason: { message: 'negative' } }, { value: 20 }])
})
