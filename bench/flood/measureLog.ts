import { createLog } from '../../service/src/entry/createLog.js'
import { testConfig } from '../../service/test/helpers/testConfig.js'
import { medianAndWorst } from '../lib/summary.mjs'
import type { Table } from '../report/table.mjs'

const rounds = 20
const length = 1_000_000
const repeat = (text: string): string => text.repeat(Math.ceil(length / text.length))

const texts: Readonly<Record<string, string>> = {
  'one word': repeat('x'),
  'URLs with a user': repeat('http://user:word'),
  'beginnings of keys': repeat('cs_'),
  'empty lines': repeat('\n'),
}

const log = createLog(testConfig, { write: () => {} })
const ways: Readonly<Record<string, (text: string) => void>> = {
  message: (text) => log.info({}, text),
  path: (path) => log.info({ path }, 'request'),
  error: (text) => log.error({ err: new Error(text) }, 'failed'),
}

/** Measures what it takes to log texts of 1 MB that look like what is searched for. */
export const measureLog = (): Table => ({
  title: 'Logging a text of 1 MB (ms, median and worst)',
  head: ['', ...Object.keys(ways)],
  rows: Object.entries(texts).map(([name, text]) => [
    name,
    ...Object.values(ways).map((write) => {
      const times = Array.from({ length: rounds }, () => {
        const startedAt = performance.now()
        write(text)
        return performance.now() - startedAt
      })
      return medianAndWorst(times, (ms) => ms.toFixed(1))
    }),
  ]),
  notes: ['Measured in one process, with the redaction and truncation that the service uses.'],
})
