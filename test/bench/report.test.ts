import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { median, medianAndWorst, ratio } from '../../bench/lib/summary.mjs'
import { writeFindings } from '../../bench/report/performancePage.mjs'
import { formatTable } from '../../bench/report/table.mjs'
import { readSource } from '../helpers/sources.js'

describe('formatTable', () => {
  test('default', () => {
    const table = {
      title: 'Polls',
      head: ['', 'reads'],
      rows: [
        ['Kassa', '18'],
        ['peer', '3600'],
      ],
    }
    expect(formatTable(table)).toBe(
      [
        '### Polls',
        '',
        '|       | reads |',
        '| ----- | ----: |',
        '| Kassa |    18 |',
        '| peer  |  3600 |',
        '',
      ].join('\n'),
    )
  })

  test('parameters: notes, and a row that is short', () => {
    const table = { title: 'T', head: ['', 'a', 'b'], rows: [['x', '1']], notes: ['Why.'] }
    expect(formatTable(table)).toContain('| x   |   1 |     |\n\n- Why.\n')
  })
})

describe('summary', () => {
  test.each([
    [[3, 1, 2], 2],
    [[4, 1, 2, 3], 2.5],
    [[7], 7],
  ])('behavior: the median of %j is %d', (values, expected) => {
    expect(median(values)).toBe(expected)
  })

  test('behavior: the worst is the greatest, and a ratio says how much of the other', () => {
    expect(medianAndWorst([5, 10, 7], String)).toBe('7 (10)')
    expect(ratio(1, 4)).toBe('0.25 ×')
  })
})

describe('writeFindings', () => {
  const createPage = (text: string): string => {
    const path = join(mkdtempSync(join(tmpdir(), 'kassa-bench-')), 'page.md')
    writeFileSync(path, text)
    return path
  }

  test('behavior: takes the place of the last findings, and leaves the rest', () => {
    const path = createPage(
      'a\n<!-- bench x -->\nold\n<!-- end of x -->\nb\n<!-- bench y -->\nkept\n<!-- end of y -->\n',
    )
    writeFindings(path, 'x', 'new\n')
    writeFindings(path, 'x', 'newer\n')
    expect(readFileSync(path, 'utf8')).toBe(
      'a\n<!-- bench x -->\n\nnewer\n\n<!-- end of x -->\nb\n<!-- bench y -->\nkept\n<!-- end of y -->\n',
    )
  })

  test('error: no place for it', () => {
    expect(() => writeFindings(createPage('nothing'), 'x', 'new')).toThrow('has no place for x')
  })

  test.each([
    'size',
    'updates',
    'requests',
    'latency',
    'lighthouse',
    'http',
    'sale',
    'flood',
    'flat',
    'failover',
    'processes',
    'soak',
  ])('behavior: docs/performance.md has a place for %s', (name) => {
    const path = createPage(readSource('docs/performance.md'))
    writeFindings(path, name, 'found')
    expect(readFileSync(path, 'utf8')).toContain('\n\nfound\n\n')
  })
})
