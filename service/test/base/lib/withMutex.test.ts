import { expect, test } from 'vitest'
import { withMutex } from '#base/lib/withMutex.js'

const later = () => new Promise<void>((resolve) => setImmediate(resolve))

test('default: one after another for each key', async () => {
  const log: string[] = []
  const work = (key: string, name: string) =>
    withMutex(key, async () => {
      log.push(`${name} begins`)
      await later()
      log.push(`${name} ends`)
      return name
    })
  expect(await Promise.all([work('a', '1'), work('a', '2'), work('b', '3')])).toEqual(['1', '2', '3'])
  expect(log.filter((line) => !line.startsWith('3'))).toEqual(['1 begins', '1 ends', '2 begins', '2 ends'])
  expect(log.indexOf('3 begins')).toBeLessThan(log.indexOf('1 ends'))
})

test('behavior: a failure affects no other task', async () => {
  const failing = withMutex('a', async () => {
    await later()
    throw new Error('no')
  })
  const next = withMutex('a', async () => 'yes')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('yes')
})
