import { join } from 'node:path'
import { describeCircumstances } from '../bench/report/circumstances.mjs'
import { writeFindings } from '../bench/report/performancePage.mjs'
import { formatTable } from '../bench/report/table.mjs'
import { root } from './lib/paths.mjs'
import { run, say } from './lib/steps.mjs'

const page = join(root, 'docs/performance.md')

/** In the order in which they run: one after the other, so that none disturbs another. */
const benches = ['size', 'updates', 'requests', 'latency', 'service', 'transactions', 'flood']

/** Runs the benches named, or all, and prints what they find; `--write` keeps it in docs/performance.md. */
await run(async () => {
  const given = process.argv.slice(2)
  const isWriting = given.includes('--write')
  const names = given.filter((argument) => argument !== '--write')
  const unknown = names.find((name) => !benches.includes(name))
  if (unknown !== undefined) throw new Error(`There is no bench ${unknown}; there are ${benches.join(', ')}.`)
  const circumstances = await describeCircumstances()
  for (const name of benches) {
    if (names.length > 0 && !names.includes(name)) continue
    say(`\n## ${name}\n`)
    /** @type {import('../bench/report/table.mjs').Bench} */
    const bench = await import(new URL(`../bench/${name}/index.mjs`, import.meta.url).href)
    const text = (await bench.run()).map(formatTable).join('\n')
    say(`\n${text}`)
    if (isWriting) writeFindings(page, name, `Measured ${circumstances}\n\n${text}`)
  }
  say(circumstances)
})
