import { brotliCompressSync, constants } from 'node:zlib'
import { bundlers } from './bundlers.mjs'

/** What every shop of this kind has anyway. */
const shared = ['react', 'react-dom', '@tanstack/react-query', 'wagmi', 'viem']

/** @param {string | Uint8Array} code */
export const compress = (code) =>
  brotliCompressSync(code, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length

/**
 * A page's files, in bytes: those it loads at once, and those it asks for when they are needed. `modules` are the
 * modules of the first, with their bytes.
 * @typedef {{ atOnce: number, later: number, modules: Record<string, number> }} Size
 */

/**
 * Adds up what a page loads at once and what it may ask for.
 * @param {import('./bundlers.mjs').Chunk[]} chunks the entry first
 * @returns {Size}
 */
export const weigh = (chunks) => {
  const [entry] = chunks
  const find = (/** @type {string} */ name) => chunks.find((chunk) => chunk.name === name)
  // A set may grow while it is walked: what a chunk imports is needed as soon as the chunk is.
  const needed = new Set(entry ? [entry.name] : [])
  for (const name of needed) for (const imported of find(name)?.imports ?? []) needed.add(imported)
  const reached = new Set(needed)
  for (const name of reached) {
    const chunk = find(name)
    for (const other of [...(chunk?.imports ?? []), ...(chunk?.asks ?? [])]) reached.add(other)
  }
  /** @type {Size} */
  const size = { atOnce: 0, later: 0, modules: {} }
  for (const name of reached) {
    const isNeeded = needed.has(name)
    size[isNeeded ? 'atOnce' : 'later'] += compress(find(name)?.code ?? '')
    if (isNeeded) Object.assign(size.modules, find(name)?.modules)
  }
  return size
}

/**
 * What an app's import costs beside the packages it has anyway, by two bundlers; the larger counts.
 * @param {string} code the app's entry
 * @returns {Promise<{ esbuild: Size, rolldown: Size, larger: { atOnce: number, later: number } }>}
 */
export const measure = async (code) => {
  const esbuild = weigh(await bundlers.esbuild(code, { external: shared }))
  const rolldown = weigh(await bundlers.Rolldown(code, { external: shared }))
  return {
    esbuild,
    rolldown,
    larger: {
      atOnce: Math.max(esbuild.atOnce, rolldown.atOnce),
      later: Math.max(esbuild.later, rolldown.later),
    },
  }
}
