import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLateModule } from '../../src/internal/createLateModule.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Fails as often as it is told, and then loads. */
const createImport = (failures: number) => {
  let left = failures
  return vi.fn(async () => {
    left -= 1
    if (left >= 0) throw new Error('no such file')
    return 'the module'
  })
}

test('default', async () => {
  const importModule = createImport(0)
  const module = createLateModule(importModule)
  expect([module.get(), module.hasFailed()]).toEqual([undefined, false])
  await Promise.all([module.load(), module.load()])
  await module.load()
  expect([module.get(), module.hasFailed()]).toEqual(['the module', false])
  expect(importModule).toHaveBeenCalledTimes(1)
  await expect(module.loaded).resolves.toBe('the module')
})

test('behavior: tries again until it has loaded, and not after', async () => {
  const importModule = createImport(2)
  const module = createLateModule(importModule)
  const told = vi.fn()
  module.subscribe(told)
  const stop = module.keepLoading()
  await vi.advanceTimersByTimeAsync(0)
  expect(module.hasFailed()).toBe(true)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(importModule).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(5_000)
  expect([module.get(), module.hasFailed()]).toEqual(['the module', false])
  expect(told).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(importModule).toHaveBeenCalledTimes(3)
  stop()
})

test('behavior: tries at once when the network is back, and then once in five seconds as before', async () => {
  const importModule = createImport(9)
  const module = createLateModule(importModule)
  const stop = module.keepLoading()
  await vi.advanceTimersByTimeAsync(1_000)
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(4_999)
  expect(importModule).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(1)
  expect(importModule).toHaveBeenCalledTimes(3)
  stop()
})

test('behavior: asks for nothing once it was stopped', async () => {
  const importModule = createImport(9)
  const stop = createLateModule(importModule).keepLoading()
  stop()
  await vi.advanceTimersByTimeAsync(60_000)
  window.dispatchEvent(new Event('online'))
  expect(importModule).toHaveBeenCalledTimes(1)
})
