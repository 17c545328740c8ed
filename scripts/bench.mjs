import { join } from 'node:path'
import { describeCircumstances } from '../bench/report/circumstances.mjs'
import { writeFindings } from '../bench/report/performancePage.mjs'
import { formatTable } from '../bench/report/table.mjs'
import { root } from './lib/paths.mjs'
import { run, say } from './lib/steps.mjs'

const page = join(root, 'docs/performance.md')

/** In the order in which they run: one after the other, so that none disturbs another. */
const benches = [
  'size',
  'updates',
  'requests',
  'latency',
  'lighthouse',
  'service',
  'http',
  'transactions',
  'sale',
  'flood',
  'flat',
]
/** These need more than npm brings, so they run only when they are named. */
const onRequest = ['failover', 'processes', 'soak']

/** Runs the benches named, or all, and prints what they find; `--write` keeps it in docs/performance.md. */
await run(async () => {
  const given = process.argv.slice(2)
  const isWriting = given.includes('--write')
  const names = given.filter((argument) => argument !== '--write')
  const known = [...benches, ...onRequest]
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`There is no bench ${unknown}; there are ${known.join(', ')}.`)
  const circumstances = await describeCircumstances()
  for (const name of names.length > 0 ? known.filter((each) => names.includes(each)) : benches) {
    say(`\n## ${name}\n`)
    /** @type {import('../bench/report/table.mjs').Bench} */
    const bench = await import(new URL(`../bench/${name}/index.mjs`, import.meta.url).href)
    const text = (await bench.run()).map(formatTable).join('\n')
    say(`\n${text}`)
    if (isWriting) writeFindings(page, name, `Measured ${circumstances}\n\n${text}`)
  }
  say(circumstances)
})
