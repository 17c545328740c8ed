import { build } from '../../scripts/lib/build.mjs'
import { loadTypeScript } from '../lib/loadTypeScript.mjs'

/** The bench's name. */
export const name = 'flat'

/** Compares what the service does on a database with few orders and on one with a million. */
export const run = async () => {
  await build(['library'])
  /** @type {{ measureFlat(): Promise<import('../report/table.mjs').Table[]> }} */
  const { measureFlat } = await loadTypeScript(new URL('./measureFlat.ts', import.meta.url))
  return measureFlat()
}
