import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { build } from 'esbuild'
import { rolldown } from 'rolldown'
import { root } from '../../scripts/lib/paths.mjs'

/** What every shop of this kind has anyway. */
const shared = ['react', 'react-dom', '@tanstack/react-query', 'wagmi', 'viem']

/** @param {string} id */
const isShared = (id) => shared.some((name) => id === name || id.startsWith(`${name}/`))

/** @param {string | Uint8Array} code */
export const compress = (code) =>
  brotliCompressSync(code, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length

/**
 * A page's files, in bytes: those it loads at once, and those it asks for when they are needed.
 * @typedef {{ atOnce: number, later: number }} Size
 */

/**
 * A file that a bundler wrote, the files it needs, and those it may ask for.
 * @typedef {{ name: string, code: string, imports: string[], asks: string[] }} Chunk
 */

/**
 * @param {Chunk[]} chunks the entry first
 * @returns {Size}
 */
const weigh = (chunks) => {
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
  const size = { atOnce: 0, later: 0 }
  for (const name of reached) size[needed.has(name) ? 'atOnce' : 'later'] += compress(find(name)?.code ?? '')
  return size
}

const entryName = 'kassa-entry'

/**
 * @param {string} code
 * @returns {Promise<Size>}
 */
const bundleWithEsbuild = async (code) => {
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: root },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    charset: 'utf8',
    write: false,
    metafile: true,
    outdir: join(root, '.kassa'),
    absWorkingDir: root,
    external: shared.flatMap((name) => [name, `${name}/*`]),
    logLevel: 'silent',
  })
  const chunks = outputFiles.map(({ path, text }) => {
    const name = path.slice(root.length + 1)
    const links = (metafile.outputs[name]?.imports ?? []).filter(({ external }) => !external)
    const linked = (/** @type {string} */ kind) =>
      links.filter((link) => link.kind === kind).map((link) => link.path)
    return { name, code: text, imports: linked('import-statement'), asks: linked('dynamic-import') }
  })
  return weigh(chunks.sort((a, b) => Number(isStdin(b.name)) - Number(isStdin(a.name))))
}

/** @param {string} name */
const isStdin = (name) => name.endsWith('/stdin.js')

/**
 * @param {string} code
 * @returns {Promise<Size>}
 */
const bundleWithRolldown = async (code) => {
  const bundle = await rolldown({
    input: entryName,
    cwd: root,
    platform: 'browser',
    external: isShared,
    logLevel: 'silent',
    plugins: [
      {
        name: 'entry',
        // Beside the sources of the repository, so that `kassa` is found as an app would find it.
        resolveId: (id) => (id === entryName ? join(root, `${entryName}.js`) : null),
        load: (id) => (id.endsWith(`${entryName}.js`) ? code : null),
      },
    ],
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  const chunks = output.filter((file) => file.type === 'chunk')
  return weigh(
    chunks
      .sort((a, b) => Number(b.isEntry) - Number(a.isEntry))
      .map(({ fileName, code: text, imports, dynamicImports }) => ({
        name: fileName,
        code: text,
        imports,
        asks: dynamicImports,
      })),
  )
}

/**
 * What an app's import costs, by two bundlers; the larger counts.
 * @param {string} code the app's entry
 * @returns {Promise<{ esbuild: Size, rolldown: Size, larger: Size }>}
 */
export const measure = async (code) => {
  const [esbuild, rolled] = [await bundleWithEsbuild(code), await bundleWithRolldown(code)]
  return {
    esbuild,
    rolldown: rolled,
    larger: {
      atOnce: Math.max(esbuild.atOnce, rolled.atOnce),
      later: Math.max(esbuild.later, rolled.later),
    },
  }
}
