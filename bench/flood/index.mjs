import { build } from '../../scripts/lib/build.mjs'
import { loadTypeScript } from '../lib/loadTypeScript.mjs'

/** The bench's name. */
export const name = 'flood'

/** Measures how long `/live` takes while the service is flooded, and how long the log takes for long texts. */
export const run = async () => {
  await build(['library', 'service'])
  /** @type {{ measureFlood(): Promise<import('../report/table.mjs').Table[]> }} */
  const { measureFlood } = await loadTypeScript(new URL('./measureFlood.ts', import.meta.url))
  return measureFlood()
}
