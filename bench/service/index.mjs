import { build } from '../../scripts/lib/build.mjs'
import { loadTypeScript } from '../lib/loadTypeScript.mjs'

/** The bench's name. */
export const name = 'service'

/** Counts the mints of a second: one by one and batched, beside what the chain itself can do. */
export const run = async () => {
  await build(['library', 'service'])
  /** @type {{ measureService(): Promise<import('../report/table.mjs').Table[]> }} */
  const { measureService } = await loadTypeScript(new URL('./measureService.ts', import.meta.url))
  return measureService()
}
