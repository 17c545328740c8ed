import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/lib/paths.mjs'
import type { Report } from '../../scripts/lib/testReporter.mjs'

/** Runs a test file with vitest, and returns what the reporter wrote of it. */
const run = async (tests: string, ...options: string[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'kassa-reporter-'))
  writeFileSync(join(folder, 'a.test.js'), tests)
  const report = join(folder, 'report.json')
  const program = join(root, 'node_modules/vitest/vitest.mjs')
  const reporter = join(root, 'scripts/lib/testReporter.mjs')
  const args = ['run', '--globals', `--root=${folder}`, `--reporter=${reporter}`]
  const env = { ...process.env, KASSA_TEST_REPORT: report }
  await new Promise((resolve) => {
    execFile(process.execPath, [program, ...args, ...options], { env }, resolve)
  })
  const { files, errors }: Report = JSON.parse(readFileSync(report, 'utf8'))
  expect({ errors, count: files.length }).toEqual({ errors: [], count: 1 })
  const failures = files[0]?.failures.map(({ name, message }) => `${name}: ${message.split('\n')[0]}`)
  return { passed: files[0]?.passed, failures }
}

const tests = `
test('passes', () => {})
test('fails', () => { throw new Error('expected 1') })
test('fails too', () => { throw new Error('expected 2') })
test.skip('skipped', () => {})
`

test('default: a test that failed and a skipped one have failed', async () => {
  expect(await run(tests)).toEqual({
    passed: 1,
    failures: ['fails: Error: expected 1', 'fails too: Error: expected 2', 'skipped: skipped'],
  })
})

test('behavior: of a run that ended at the first failure, the tests after it say nothing', async () => {
  expect(await run(tests, '--bail=1')).toEqual({
    passed: 1,
    failures: ['fails: Error: expected 1', 'skipped: skipped'],
  })
})

test('behavior: a file without a test, and one that cannot be read, have failed', async () => {
  expect((await run('')).failures).toEqual([expect.stringContaining('No test')])
  expect((await run(`throw new Error('no import')`)).failures).toEqual([': Error: no import'])
})

test('behavior: an error that no test caught has the name of no test', async () => {
  const late = `test('passes', async () => {
    void Promise.reject(new Error('late'))
    await new Promise((resolve) => setTimeout(resolve))
  })`
  expect(await run(late)).toEqual({
    passed: 1,
    failures: ['an error that no test caught: Error: late'],
  })
})
