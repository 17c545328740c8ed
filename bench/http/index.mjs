import { build } from '../../scripts/lib/build.mjs'
import { loadTypeScript } from '../lib/loadTypeScript.mjs'

/** The bench's name. */
export const name = 'http'

/** Measures requests to the service, and to a bare server on the same database. */
export const run = async () => {
  await build(['library', 'service'])
  /** @type {{ measureHttp(): Promise<import('../report/table.mjs').Table[]> }} */
  const { measureHttp } = await loadTypeScript(new URL('./measureHttp.ts', import.meta.url))
  return measureHttp()
}
