import { run, say } from './lib/steps.mjs'
import { runVitest } from './lib/vitest.mjs'

/** Simulates many purchases by buyers who reload, click again and open tabs; `npm run simulate 5000` says how many. */
await run(async () => {
  const [purchases = '1000'] = process.argv.slice(2)
  if (!/^[1-9]\d*$/.test(purchases)) throw new Error(`Expected a number of purchases, not ${purchases}.`)
  process.env.PURCHASES = purchases
  const { passed, failed } = await runVitest('simulation', ['simulation'])
  say(`\n${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
})
