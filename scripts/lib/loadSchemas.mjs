import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { privateDir, root, stateDir } from './paths.mjs'

/** Gets what `kassa/schema` exports, from its sources. @returns {Promise<Record<string, any>>} */
export const loadSchemas = async () => {
  const folder = mkdtempSync(join(privateDir(stateDir), 'schemas-'))
  const outfile = join(folder, 'schemas.mjs')
  try {
    await build({
      stdin: { contents: "export * from './index.js'", resolveDir: join(root, 'src/schema') },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      logLevel: 'silent',
    })
    return await import(pathToFileURL(outfile).href)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
