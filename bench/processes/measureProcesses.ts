import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stateDir } from '../../scripts/lib/paths.mjs'
import { say } from '../../scripts/lib/steps.mjs'
import { startPostgres } from '../../service/test/helpers/startPostgres.js'
import { basePath, fillShop, orderBody, post, type Requests, send } from '../http/orderLoad.js'
import { readCpu } from '../http/readCpu.js'
import { startProcesses } from '../lib/startProcesses.js'
import { median } from '../lib/summary.mjs'
import type { Table } from '../report/table.mjs'
import { limitCpu } from './limitCpu.js'

const dataDir = join(stateDir, 'bench/processes')
/** Of one core. Small, so that the database, the chain and the sender never lack one. */
const share = Number(process.env.SHARE ?? 0.25)
/** Of each process, so that two have twice as many. */
const connections = 16
const rounds = 5
const lastMs = 4_000
const restMs = 500

type Measured = { operation: string; processes: number; perSecond: number; cpuShare: number }

/** Measures one process and two, in turns. */
export const measureProcesses = async (): Promise<Table[]> => {
  rmSync(dataDir, { recursive: true, force: true })
  const closing: (() => unknown)[] = []
  try {
    const postgres = await startPostgres()
    closing.push(postgres.stop)
    const service = await startProcesses(dataDir, 2, { DATABASE_URL: await postgres.createDatabase() })
    const { urls, serverKey, nodeUrl } = service
    const [serviceUrl = ''] = urls
    const paths = await fillShop({ serviceUrl, serverKey, nodeUrl })
    const pids = service.children.map(({ pid }) => pid)
    const limits = pids.map((pid, index) => limitCpu(String(index), pid, share))
    closing.push(async () => {
      await service.stop()
      for (const { release } of limits) await release()
    })
    const headers = { 'x-api-key': serverKey, 'content-type': 'application/json' }
    const operations: Record<string, Requests> = {
      'create an order': post(`${basePath}/orders`, orderBody, headers, 201),
      'get an order': {
        method: 'GET',
        status: 200,
        requests: paths.map((path) => ({ path, headers })),
      },
    }
    const measure = async (operation: string, processes: number, forMs: number): Promise<Measured> => {
      const asked = pids.slice(0, processes)
      const readAll = () => asked.reduce((sum, pid) => sum + readCpu(pid), 0)
      const before = readAll()
      const answers = await Promise.all(
        urls
          .slice(0, processes)
          .map((url) => send({ ...(operations[operation] as Requests), url, connections, lastMs: forMs })),
      )
      const lasted = Math.max(...answers.map((answer) => answer.lastedMs))
      return {
        operation,
        processes,
        perSecond: answers.reduce((sum, answer) => sum + (answer.count * 1000) / answer.lastedMs, 0),
        cpuShare: (readAll() - before) / lasted / processes,
      }
    }
    const found: Measured[] = []
    for (let round = 0; round <= rounds; round++) {
      for (const operation of Object.keys(operations)) {
        for (const processes of [1, 2]) {
          const measured = await measure(operation, processes, lastMs)
          if (round) found.push(measured)
          await sleep(restMs)
        }
      }
      if (round) say(`  ${round} of ${rounds}`)
    }
    const of = (operation: string, processes: number, what: 'perSecond' | 'cpuShare'): number =>
      median(
        found
          .filter((each) => each.operation === operation && each.processes === processes)
          .map((each) => each[what]),
      )
    return [
      {
        title: `One process and two, each with ${share * 100} % of a core: ${rounds} rounds, medians`,
        head: [
          '',
          'one, a second',
          'two, a second',
          'two beside one',
          'CPU used by one',
          'CPU used by each of two',
        ],
        rows: Object.keys(operations).map((operation) => [
          operation,
          ...[1, 2].map((processes) => of(operation, processes, 'perSecond').toFixed(0)),
          `${(of(operation, 2, 'perSecond') / of(operation, 1, 'perSecond')).toFixed(2)} ×`,
          ...[1, 2].map((processes) => `${(of(operation, processes, 'cpuShare') * 100).toFixed(0)} %`),
        ]),
        notes: [
          `Each process has ${connections} connections. Their share is so small that PostgreSQL, the chain and the senders are never short of a core: what two processes do is then a question of what they wait for from each other. The second process runs in both cases, and does its own part of the jobs.`,
        ],
      },
    ]
  } finally {
    for (const close of closing.reverse()) await close()
  }
}
