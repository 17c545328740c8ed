import { formatTable } from '../bench/report/table.mjs'
import { checkBudgets, tabulate, weigh } from '../bench/size/index.mjs'
import { run, say } from './lib/steps.mjs'

/** Weighs what apps import, and fails when something has passed its budget. */
await run(async () => {
  const findings = await weigh()
  say(`\n${tabulate(findings).map(formatTable).join('\n')}`)
  await checkBudgets(findings)
})
