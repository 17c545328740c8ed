import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createReport, describeError } from '../../scripts/lib/steps.mjs'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Returns to the start of the line and erases it. */
const clear = '\r\x1b[2K'

const create = (screen: { isTTY?: boolean; columns?: number } = {}) => {
  const written: string[] = []
  const report = createReport({ ...screen, write: (text) => written.push(text) })
  return { report, take: () => written.splice(0).join('') }
}

test('default: a log names a step before it begins, every five seconds, and when it ends', () => {
  const { report, take } = create()
  const step = report.begin('storefront build')
  expect(take()).toBe('  … storefront build\n')
  vi.advanceTimersByTime(4_900)
  expect(take()).toBe('')
  vi.advanceTimersByTime(100)
  expect(take()).toBe('    storefront build 5 s\n')
  vi.advanceTimersByTime(1_000)
  report.end(step, '✓')
  expect(take()).toMatch(/^ {2}✓ storefront build +6\.0 s\n$/)
  vi.advanceTimersByTime(20_000)
  expect(take()).toBe('')
})

test('behavior: a terminal has one line for the running steps, which counts their seconds', () => {
  const { report, take } = create({ isTTY: true })
  const build = report.begin('storefront build')
  const service = report.begin('service')
  take()
  service.note = '2 of 3'
  vi.advanceTimersByTime(1_000)
  expect(take()).toBe(`${clear}  … storefront build 1 s, service 1 s (2 of 3)`)
  report.print('port 4000 is busy\n')
  expect(take()).toBe(`${clear}port 4000 is busy\n  … storefront build 1 s, service 1 s (2 of 3)`)
  report.end(service, '✗')
  expect(take()).toBe(`${clear}  ✗ ${'service'.padEnd(34)} 1.0 s\n  … storefront build 1 s`)
  report.end(build, '✓')
  expect(take()).toBe(`${clear}  ✓ ${'storefront build'.padEnd(34)} 1.0 s\n`)
  report.print('ready\n')
  expect(take()).toBe('ready\n')
})

test('behavior: the line of a terminal does not wrap', () => {
  const { report, take } = create({ isTTY: true, columns: 20 })
  report.begin('service, database and chains')
  expect(take()).toHaveLength(19)
})

test('error: a folder that cannot be written is told in a sentence', () => {
  const error = Object.assign(new Error('EROFS: read-only file system, mkdir'), {
    code: 'EROFS',
    path: '/clone/.kassa',
  })
  expect(describeError(error)).toBe(
    '/clone/.kassa cannot be written (EROFS). Check who owns it, or work in a folder of your own.',
  )
  expect(describeError(new Error('no'))).toBe('no')
})
