import { build } from '../../scripts/lib/build.mjs'
import { loadTypeScript } from '../lib/loadTypeScript.mjs'

/** The bench's name. */
export const name = 'requests'

/** Counts polls and bytes of one purchase and of an hour's waiting. */
export const run = async () => {
  await build(['library'])
  /** @type {{ measureRequests(): Promise<import('../report/table.mjs').Table[]> }} */
  const { measureRequests } = await loadTypeScript(new URL('./measureRequests.ts', import.meta.url))
  return measureRequests()
}
