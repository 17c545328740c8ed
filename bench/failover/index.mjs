import { build } from '../../scripts/lib/build.mjs'
import { loadTypeScript } from '../lib/loadTypeScript.mjs'

/** The bench's name. */
export const name = 'failover'

/** Kills the primary database in the middle of a sale. Needs Debian's `postgresql-15` and `pgbouncer`. */
export const run = async () => {
  await build(['library', 'service'])
  /** @type {{ measureFailover(): Promise<import('../report/table.mjs').Table[]> }} */
  const { measureFailover } = await loadTypeScript(new URL('./measureFailover.ts', import.meta.url))
  return measureFailover()
}
