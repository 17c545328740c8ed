import { fileURLToPath } from 'node:url'
import { defaultClientConditions, defaultServerConditions, runnerImport } from 'vite'
import { root } from '../../scripts/lib/paths.mjs'

const source = '@kassa/source'

/** As in the tests, `kassa/...` means its source: nothing has to be built first. */
export const fromSource = {
  configFile: /** @type {const} */ (false),
  root,
  logLevel: /** @type {const} */ ('error'),
  resolve: { conditions: [source, ...defaultClientConditions] },
  ssr: { resolve: { conditions: [source, ...defaultServerConditions] } },
}

/**
 * Loads a TypeScript module into this process.
 * @template Module
 * @param {URL} url
 * @returns {Promise<Module>}
 */
export const loadTypeScript = async (url) => {
  const { module } = await runnerImport(fileURLToPath(url), fromSource)
  return /** @type {Module} */ (module)
}
