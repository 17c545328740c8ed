import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readReport } from '../../scripts/lib/vitest.mjs'

const write = (report: object): string => {
  const folder = mkdtempSync(join(tmpdir(), 'kassa-report-'))
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'report.json')
  writeFileSync(path, JSON.stringify({ files: [], errors: [], ...report }))
  return path
}
const passed = { project: 'unit', file: 'test/a.test.ts', ms: 5, passed: 7, failures: [] }
const failed = { ...passed, failures: [{ name: 'default', message: 'expected 1' }] }

test('default', () => {
  expect(readReport(write({ files: [passed] }), 0)).toEqual({ files: [passed], errors: [] })
  expect(readReport(write({ files: [failed] }), 1).errors).toEqual([])
})

test('behavior: a run that ended badly, ran nothing or left no report failed', () => {
  expect(readReport(write({ files: [passed] }), 1).errors).toHaveLength(1)
  expect(readReport(write({}), 0).errors).toHaveLength(1)
  expect(readReport('/nowhere/report.json', 0).errors).toHaveLength(1)
})

test('behavior: of a change that reaches no test, nothing is run, and nothing failed', () => {
  expect(readReport('/nowhere/report.json', 0, true)).toEqual({ files: [], errors: [] })
  expect(readReport(write({}), 0, true).errors).toEqual([])
  expect(readReport('/nowhere/report.json', 1, true).errors).toHaveLength(1)
})
