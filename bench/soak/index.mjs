import { build } from '../../scripts/lib/build.mjs'
import { loadTypeScript } from '../lib/loadTypeScript.mjs'

/** The bench's name. */
export const name = 'soak'

/** Sells for an hour, or for as many minutes as `MINUTES` says, and reads memory and delays. */
export const run = async () => {
  await build(['library', 'service'])
  /** @type {{ measureSoak(): Promise<import('../report/table.mjs').Table[]> }} */
  const { measureSoak } = await loadTypeScript(new URL('./measureSoak.ts', import.meta.url))
  return measureSoak()
}
