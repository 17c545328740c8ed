import { run, say } from './lib/steps.mjs'
import { runVitest } from './lib/vitest.mjs'

/** Simulates many purchases by buyers who reload, click again and open tabs; `npm run simulate 5000` says how many. */
await run(async () => {
  const [purchases = '1000'] = process.argv.slice(2)
  if (!/^[1-9]\d*$/.test(purchases)) throw new Error(`Expected a number of purchases, not ${purchases}.`)
  process.env.PURCHASES = purchases
  const { files, errors } = await runVitest('simulation', ['simulation'])
  const failed = errors.length + files.filter(({ failures }) => failures.length > 0).length
  say(failed === 0 ? `\n${purchases} purchases without a fault` : '\nA purchase went wrong.')
  return failed === 0 ? 0 : 1
})
