import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { fromSource } from './loadTypeScript.mjs'

/**
 * Bundles a page's script for production, in memory.
 * @param {URL} url
 * @returns {Promise<ReadonlyMap<string, string>>} the code by its path; the page's own is `/page.js`
 */
export const bundlePage = async (url) => {
  const built = await build({
    ...fromSource,
    mode: 'production',
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: {
        input: fileURLToPath(url),
        output: { entryFileNames: 'page.js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
  if (!('output' in built)) throw new Error('One page was asked for.')
  return new Map(
    built.output.flatMap((file) =>
      file.type === 'chunk' ? [/** @type {const} */ ([`/${file.fileName}`, file.code])] : [],
    ),
  )
}
