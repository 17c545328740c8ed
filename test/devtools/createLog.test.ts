import { expect, test } from 'vitest'
import { createLog } from '../../src/devtools/createLog.js'

test('default', () => {
  const log = createLog<{ name: string }>()
  log.add({ name: 'one' })
  const before = log.list()
  log.add({ name: 'two' })
  expect(before).toEqual([{ id: 1, name: 'one' }])
  expect(log.list()).toEqual([
    { id: 1, name: 'one' },
    { id: 2, name: 'two' },
  ])
})

test('behavior: the last 200 are kept', () => {
  const log = createLog<{ name: string }>()
  for (let count = 1; count <= 250; count += 1) log.add({ name: String(count) })
  expect(log.list()).toHaveLength(200)
  expect(log.list().map(({ id }) => id)).toEqual(Array.from({ length: 200 }, (_, index) => 51 + index))
})
