import { build } from '../../scripts/lib/build.mjs'
import { loadTypeScript } from '../lib/loadTypeScript.mjs'

/** The bench's name. */
export const name = 'sale'

/** Has many buyers pay at once, on a chain with real block times and on one that mines on demand. */
export const run = async () => {
  await build(['library', 'service'])
  /** @type {{ measureSale(): Promise<import('../report/table.mjs').Table[]> }} */
  const { measureSale } = await loadTypeScript(new URL('./measureSale.ts', import.meta.url))
  return measureSale()
}
