import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { stateDir } from '../../scripts/lib/paths.mjs'
import { startService } from '../../scripts/lib/stack.mjs'
import { say } from '../../scripts/lib/steps.mjs'
import { median, ratio } from '../lib/summary.mjs'
import type { Table } from '../report/table.mjs'
import { openChain } from './measureChain.js'
import { type Mints, openMinter } from './openMinter.js'

const dataDir = join(stateDir, 'bench/service')
const env = { KASSA_WRITES_PER_MINUTE: '1000000000', KASSA_READS_PER_MINUTE: '1000000000' }
const rounds = 5
const ones = 20
const many = 500
const connections = 16

type Round = {
  one: Mints
  many: Mints & { askedMs: number }
  chainOne: Mints
  chainEach: Mints
  chainMany: Mints
}

const perSecond = ({ count, totalMs }: { count: number; totalMs: number }): number => (count * 1000) / totalMs

/** One round of the service, and one of the bare chain: each has the machine to itself. */
const measureRound = async (round: number): Promise<Round> => {
  rmSync(dataDir, { recursive: true, force: true })
  const running = await startService({ dataDir, env })
  const served = await (async () => {
    try {
      const minter = await openMinter(running, `bench-${round}`)
      return { one: await minter.oneByOne(ones), many: await minter.atOnce(many, connections) }
    } finally {
      await running.stop()
    }
  })()
  const chain = await openChain()
  try {
    const batch = Math.max(1, Math.round(many / served.many.transactions))
    const chainOne = await chain.mint(ones, 1, true)
    const chainEach = await chain.mint(many, 1, false)
    const chainMany = await chain.mint(many, batch, false)
    return { ...served, chainOne, chainEach, chainMany }
  } finally {
    await chain.close()
  }
}

/** Measures rounds, one after the other, and tells the median of each. */
export const measureService = async (): Promise<Table[]> => {
  const measured: Round[] = []
  for (let round = 0; round < rounds; round++) {
    const found = await measureRound(round)
    const figures = [found.one, found.many, found.chainEach, found.chainMany].map((mints) =>
      perSecond(mints).toFixed(0),
    )
    say(`  ${round + 1} of ${rounds}: ${figures.join(', ')} a second`)
    measured.push(found)
  }
  const row = (title: string, of: (round: Round) => Mints, floorOf: (round: Round) => Mints): string[] => {
    const rates = measured.map((round) => perSecond(of(round)))
    const shares = measured.map((round) => perSecond(of(round)) / perSecond(floorOf(round)))
    const sizes = measured.map((round) => of(round).count / of(round).transactions)
    return [
      title,
      median(rates).toFixed(0),
      `${Math.min(...rates).toFixed(0)} to ${Math.max(...rates).toFixed(0)}`,
      median(sizes).toFixed(1),
      ratio(median(shares), 1),
    ]
  }
  const each = (of: (round: Round) => Mints) => median(measured.flatMap((round) => of(round).eachMs))
  const asked = median(measured.map(({ many: { count, askedMs } }) => (count * 1000) / askedMs))
  return [
    {
      title: `Mints per second: ${rounds} rounds, medians`,
      head: ['', 'tokens a second', 'least to most', 'tokens a transaction', 'beside its floor'],
      rows: [
        row(
          `one by one, ${ones} in a row`,
          ({ one }) => one,
          ({ chainOne }) => chainOne,
        ),
        row(
          'the chain alone, one by one',
          ({ chainOne }) => chainOne,
          ({ chainOne }) => chainOne,
        ),
        row(
          `batched, ${many} asked for at once`,
          ({ many }) => many,
          ({ chainMany }) => chainMany,
        ),
        row(
          'the chain alone, batches of the same size',
          ({ chainMany }) => chainMany,
          ({ chainMany }) => chainMany,
        ),
        row(
          'the chain alone, a transaction each',
          ({ chainEach }) => chainEach,
          ({ chainEach }) => chainEach,
        ),
      ],
      notes: [
        `A lone mint takes ${each(({ one }) => one).toFixed(0)} ms from the request to the end of its action, median of ${rounds * ones}; a bare transaction ${each(({ chainOne }) => chainOne).toFixed(0)} ms from sending to its receipt. In between are the request, the wait for other mints to share the transaction, the jobs, and the poll for the receipt every 100 ms.`,
        `The service accepts ${asked.toFixed(0)} mints a second from ${connections} connections, and commits each with its action before it answers.`,
        'The service runs as `npm start` starts it: an embedded database and a local chain, as processes of their own. The floor sends transactions signed beforehand to the same node, from one key with nonces counted in memory. It stores nothing, sends no events, and would lose everything in a crash. Below 1 × is slower than the floor.',
      ],
    },
  ]
}
