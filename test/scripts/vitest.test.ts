import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/lib/paths.mjs'
import { readFailures, readTally } from '../../scripts/lib/vitest.mjs'

const write = (counts: object): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'kassa-tally-')), 'report.json')
  const none = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 }
  writeFileSync(path, JSON.stringify({ ...none, ...counts }))
  return path
}

test('default', () => {
  expect(readTally(write({ numPassedTests: 7 }), 0)).toEqual({ passed: 7, failed: 0 })
  expect(readTally(write({ numPassedTests: 7, numFailedTests: 2 }), 1)).toEqual({ passed: 7, failed: 2 })
})

test('behavior: a skipped test counts as failed', () => {
  expect(readTally(write({ numPassedTests: 7, numPendingTests: 1 }), 0)).toEqual({ passed: 7, failed: 1 })
})

test('behavior: a run that ended badly, ran nothing or left no report failed', () => {
  expect(readTally(write({ numPassedTests: 7 }), 1)).toEqual({ passed: 7, failed: 1 })
  expect(readTally(write({}), 0)).toEqual({ passed: 0, failed: 1 })
  expect(readTally('/nowhere/report.json', 0)).toEqual({ passed: 0, failed: 1 })
})

test('behavior: reports failures by file and name with their messages, including files that could not run', () => {
  const file = (name: string, rest: object) => ({ name: join(root, name), status: 'failed', ...rest })
  const report = write({
    testResults: [
      file('test/a.test.ts', {
        assertionResults: [
          { status: 'passed', fullName: 'default', failureMessages: [] },
          { status: 'failed', fullName: 'error: b', failureMessages: ['\u001b[31mexpected 1\u001b[39m'] },
          { status: 'pending', fullName: 'error: c', failureMessages: null },
        ],
      }),
      file('test/b.test.ts', { message: 'no such module', assertionResults: [] }),
    ],
  })
  expect(readFailures(report)).toEqual([
    'test/a.test.ts > error: b (failed)\nexpected 1',
    'test/a.test.ts > error: c (pending)',
    'test/b.test.ts (failed)\nno such module',
  ])
  expect(readFailures(write({}))).toEqual([])
  expect(readFailures('/nowhere/report.json')).toEqual(['no report was written'])
})
