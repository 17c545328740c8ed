import { build } from '../../scripts/lib/build.mjs'
import { loadTypeScript } from '../lib/loadTypeScript.mjs'
import { formatTable } from '../report/table.mjs'

/** Compares two databases that `fill.mjs` has filled: `node bench/flat/compare.mjs postgres://… postgres://…`. */
const [small, large] = process.argv.slice(2)
if (small === undefined || large === undefined) {
  console.error('Use: node bench/flat/compare.mjs <URL of the smaller database> <URL of the larger one>')
  process.exit(2)
}
await build(['library'])
/** @type {{ compareDatabases(small: string, large: string): Promise<import('../report/table.mjs').Table[]> }} */
const { compareDatabases } = await loadTypeScript(new URL('./measureFlat.ts', import.meta.url))
console.log((await compareDatabases(small, large)).map(formatTable).join('\n'))
