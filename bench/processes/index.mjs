import { build } from '../../scripts/lib/build.mjs'
import { loadTypeScript } from '../lib/loadTypeScript.mjs'

/** The bench's name. */
export const name = 'processes'

/** Compares one process of the service with two, each with a bounded share of a core. Needs Linux, and root. */
export const run = async () => {
  await build(['library', 'service'])
  /** @type {{ measureProcesses(): Promise<import('../report/table.mjs').Table[]> }} */
  const { measureProcesses } = await loadTypeScript(new URL('./measureProcesses.ts', import.meta.url))
  return measureProcesses()
}
