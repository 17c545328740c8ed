import { build } from '../../scripts/lib/build.mjs'
import { loadTypeScript } from '../lib/loadTypeScript.mjs'

/** Fills an empty PostgreSQL database with so many orders: `node bench/flat/fill.mjs postgres://… 1000000`. */
const [url, count = '1000000'] = process.argv.slice(2)
if (url === undefined || !/^[1-9]\d*$/.test(count)) {
  console.error('Use: node bench/flat/fill.mjs <database URL> [number of orders]')
  process.exit(2)
}
await build(['library'])
/** @type {{ fillDatabase(url: string, count: number, say: (line: string) => void): Promise<void> }} */
const { fillDatabase } = await loadTypeScript(new URL('./fillDatabase.ts', import.meta.url))
await fillDatabase(url, Number(count), console.log)
