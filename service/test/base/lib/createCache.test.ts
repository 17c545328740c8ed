import { expect, test } from 'vitest'
import { createCache } from '#base/lib/createCache.js'

const open = (maxSize = 10) => {
  let nowMs = 0
  const reads: string[] = []
  const cache = createCache<string | undefined>(maxSize, 1_000, () => nowMs)
  return {
    reads,
    cache,
    get: (key: string, read: () => Promise<string | undefined> = async () => `${key} ${reads.length}`) =>
      cache.get(key, () => {
        reads.push(key)
        return read()
      }),
    wait: (ms: number) => {
      nowMs += ms
    },
  }
}

test('default: a result is read once, until it is too old', async () => {
  const { get, reads, wait } = open()
  expect(await Promise.all([get('a'), get('a'), get('b')])).toEqual(['a 1', 'a 1', 'b 2'])
  wait(999)
  expect(await get('a')).toBe('a 1')
  wait(1)
  expect(await get('a')).toBe('a 3')
  expect(reads).toEqual(['a', 'b', 'a'])
})

test('behavior: what was not asked for the longest makes room', async () => {
  const { get, reads } = open(2)
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await get(key)
  expect(reads).toEqual(['a', 'b', 'c', 'b'])
})

test('behavior: a read that is under way while the cache is cleared is not kept', async () => {
  const { get, cache, reads } = open()
  let answer = (_: string) => {}
  const reading = get('a', () => new Promise<string>((resolve) => (answer = resolve)))
  cache.clear()
  answer('old')
  expect(await reading).toBe('old')
  expect(await get('a')).toBe('a 2')
  expect(reads).toEqual(['a', 'a'])
})

test('behavior: what was not found is looked for again', async () => {
  const { get } = open()
  expect(await get('a', async () => undefined)).toBeUndefined()
  expect(await get('a')).toBe('a 2')
})

test('error: a failed read is not kept', async () => {
  const { get } = open()
  const failing = () => Promise.reject(new Error('away'))
  await expect(get('a', failing)).rejects.toThrow('away')
  expect(await get('a')).toBe('a 2')
})
