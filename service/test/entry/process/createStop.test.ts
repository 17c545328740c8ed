import { expect, test } from 'vitest'
import { createStop } from '#entry/process/createStop.js'

const logged: string[] = []
const tell = (_: object, message: string) => void logged.push(message)
const log = { info: tell, warn: tell, error: tell }
const create = () => createStop(log, { drainMs: 0, shutdownMs: 20 })

test('default: running work ends first, then its resources, then the shared ones', async () => {
  const ended: string[] = []
  const end = (what: string) => async () => void ended.push(what)
  const stop = create()
  stop.atLast('the database', end('database'))
  stop.after('the chains', end('chains'))
  stop.during('jobs', async (patienceMs) => void ended.push(`jobs ${patienceMs}`))
  expect(stop.isStopping()).toBe(false)
  const drained = stop.drain()
  expect(stop.isStopping()).toBe(true)
  await drained
  expect(ended).toEqual([])
  expect(await stop.run()).toBe(0)
  expect(ended).toEqual(['jobs 20', 'chains', 'database'])
})

test('error: a failure is logged, and keeps nothing else open', async () => {
  const ended: string[] = []
  const stop = create()
  stop.atLast('the database', async () => void ended.push('database'))
  stop.during('jobs', () => Promise.reject(new Error('the database is away')))
  expect(await stop.run()).toBe(1)
  expect(ended).toEqual(['database'])
  expect(logged).toContain('stopping jobs failed')
})

test('error: a step that hangs is left, the rest ends, and the status shows it', async () => {
  const ended: string[] = []
  const stop = createStop(log, { drainMs: 0, shutdownMs: 10 }, 10)
  const hang = () => new Promise<void>(() => {})
  stop.atLast('the database', async () => void ended.push('database'))
  stop.after('the chains', hang)
  stop.during('jobs', hang)
  expect(await stop.run()).toBe(1)
  expect(ended).toEqual(['database'])
  expect(logged.filter((message) => message === 'did not stop in time, and is left')).toHaveLength(2)
})
