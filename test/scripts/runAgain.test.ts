import { expect, test } from 'vitest'
import { type FailedFile, runAgain } from '../../scripts/lib/runAgain.mjs'

const failures: { name: string; message: string }[] = []
const passed = { project: 'unit', file: 'test/a.test.ts', ms: 5, passed: 2, failures }
const failed = { ...passed, passed: 1, failures: [{ name: 'default', message: 'expected 1' }] }
const report = (file: typeof passed) => ({ files: [file], errors: [] as string[] })

const run = async (second: ReturnType<typeof report>, files: FailedFile[] = [failed]) => {
  const asked: unknown[] = []
  const result = await runAgain(files, async (_, projects, options) => {
    asked.push({ projects, ...options })
    return second
  })
  return { ...result, asked }
}

test('default: a file that passes alone is flaky, and does not fail the run', async () => {
  expect(await run(report(passed))).toEqual({
    flaky: [{ first: failed, second: [passed] }],
    failed: [],
    asked: [{ projects: ['unit'], files: ['test/a.test.ts'], bail: true }],
  })
})

test('behavior: a file that fails again fails the run, with both outputs', async () => {
  const second = { ...failed, failures: [{ name: 'default', message: 'expected 2' }] }
  const { flaky, failed: told } = await run(report(second))
  expect(flaky).toEqual([])
  expect(told).toHaveLength(1)
  expect(told[0]).toBe('test/a.test.ts (unit) > default\nexpected 1\n\nonce more, alone:\nexpected 2')
})

test('behavior: a test that says the same again is told once', async () => {
  expect((await run(report(failed))).failed).toEqual(['test/a.test.ts (unit) > default\nexpected 1'])
})

test('behavior: two outputs of one run are not told as two runs', async () => {
  const name = 'an error that no test caught'
  const two = [
    { name, message: 'lost 1' },
    { name, message: 'lost 2' },
  ]
  const second = report({ ...failed, failures: two.slice(0, 1) })
  const { failed: told } = await run(second, [{ ...failed, failures: two }])
  expect(told).toEqual([`test/a.test.ts (unit) > ${name}\nlost 1\nlost 2`])
})

test('behavior: a file runs again in the environment in which it failed', async () => {
  const env = { KASSA_TEST_DATABASE: 'embedded' }
  const { asked, flaky } = await run(report(passed), [{ ...failed, env }])
  expect(asked).toEqual([{ projects: ['unit'], files: ['test/a.test.ts'], bail: true, env }])
  expect(flaky).toEqual([{ first: failed, second: [passed] }])
})

test('behavior: a second run that broke off fails the run', async () => {
  expect((await run({ files: [], errors: ['vitest wrote no report'] })).failed).toHaveLength(2)
})

test('behavior: many failed files are no chance, and are not run again', async () => {
  const files = Array.from({ length: 21 }, (_, index) => ({ ...failed, file: `test/${index}.test.ts` }))
  const { flaky, failed: told, asked } = await run(report(passed), files)
  expect({ flaky, asked, told: told.length }).toEqual({ flaky: [], asked: [], told: 21 })
})
