import { build } from '../../scripts/lib/build.mjs'
import { loadTypeScript } from '../lib/loadTypeScript.mjs'

/** The bench's name. */
export const name = 'transactions'

/** Counts the transactions of a second that wallets of the service's keeping send, beside what the chain can do. */
export const run = async () => {
  await build(['library', 'service'])
  /** @type {{ measureTransactions(): Promise<import('../report/table.mjs').Table[]> }} */
  const { measureTransactions } = await loadTypeScript(new URL('./measureTransactions.ts', import.meta.url))
  return measureTransactions()
}
