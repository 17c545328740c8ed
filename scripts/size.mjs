import { formatTable } from '../bench/report/table.mjs'
import { checkBudgets, tabulate, tabulateModules, weigh } from '../bench/size/index.mjs'
import { run, say } from './lib/steps.mjs'

/**
 * Weighs what apps import, and fails when something has passed its budget; `--modules` lists of what a page's growth
 * consists.
 */
await run(async () => {
  const findings = await weigh()
  const tables = process.argv.includes('--modules') ? tabulateModules(findings) : tabulate(findings)
  say(`\n${tables.map(formatTable).join('\n')}`)
  await checkBudgets(findings)
})
