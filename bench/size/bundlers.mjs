import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { build } from 'esbuild'
import { rolldown } from 'rolldown'
import webpack from 'webpack'
import { privateDir, root, stateDir } from '../../scripts/lib/paths.mjs'

/**
 * A file that a bundler wrote, the files it needs, those it may ask for, and the modules in it with their bytes. Only
 * esbuild counts the bytes of a module minified.
 * @typedef {{ name: string, code: string, imports: string[], asks: string[], modules: Record<string, number> }} Chunk
 */

/**
 * @typedef {{ external?: readonly string[] }} BundleOptions packages that the page has anyway; by default everything is
 * bundled
 */

const entryName = 'kassa-entry'

/** @param {string} path */
const toName = (path) => relative(root, path.startsWith('/') ? path : join(root, path))

/** @param {Chunk[]} chunks @param {(chunk: Chunk) => boolean} isEntry */
const entryFirst = (chunks, isEntry) => chunks.sort((a, b) => Number(isEntry(b)) - Number(isEntry(a)))

/**
 * @param {string} code
 * @param {BundleOptions} [options]
 * @returns {Promise<Chunk[]>} the entry first
 */
const bundleWithEsbuild = async (code, { external = [] } = {}) => {
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
    outdir: stateDir,
    absWorkingDir: root,
    external: external.flatMap((name) => [name, `${name}/*`]),
    logLevel: 'silent',
  })
  const chunks = outputFiles.map(({ path, text }) => {
    const name = toName(path)
    const output = metafile.outputs[name]
    const links = (output?.imports ?? []).filter((link) => !link.external)
    const linked = (/** @type {string} */ kind) =>
      links.filter((link) => link.kind === kind).map((link) => link.path)
    const modules = Object.entries(output?.inputs ?? {}).map(([path, input]) => [path, input.bytesInOutput])
    return {
      name,
      code: text,
      imports: linked('import-statement'),
      asks: linked('dynamic-import'),
      modules: Object.fromEntries(modules),
    }
  })
  return entryFirst(chunks, ({ name }) => name.endsWith('/stdin.js'))
}

/**
 * @param {string} code
 * @param {BundleOptions} [options]
 * @returns {Promise<Chunk[]>} the entry first
 */
const bundleWithRolldown = async (code, { external = [] } = {}) => {
  const bundle = await rolldown({
    input: entryName,
    cwd: root,
    platform: 'browser',
    external: (id) => external.some((name) => id === name || id.startsWith(`${name}/`)),
    logLevel: 'silent',
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
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
  return output
    .filter((file) => file.type === 'chunk')
    .sort((a, b) => Number(b.isEntry) - Number(a.isEntry))
    .map(({ fileName, code: text, imports, dynamicImports, modules }) => ({
      name: fileName,
      code: text,
      imports,
      asks: dynamicImports,
      modules: Object.fromEntries(
        Object.entries(modules).map(([path, { renderedLength }]) => [toName(path), renderedLength]),
      ),
    }))
}

/** @param {import('webpack').Configuration} settings @returns {Promise<import('webpack').Compilation>} */
const compile = (settings) =>
  new Promise((resolve, reject) => {
    webpack(settings, (error, stats) => {
      if (error || !stats || stats.hasErrors())
        reject(error ?? new Error(stats?.toString('errors-only') ?? 'webpack gave no result'))
      else resolve(stats.compilation)
    })
  })

/** @param {import('webpack').Compilation} compilation @param {import('webpack').Chunk} chunk */
const listModules = ({ chunkGraph }, chunk) =>
  [...chunkGraph.getChunkModulesIterable(chunk)]
    // Modules that webpack has put together are listed one by one.
    .flatMap((module) => ('modules' in module ? [...Object(module.modules)] : [module]))
    .map((module) => [toName(Object(module).resource ?? 'webpack/runtime'), module.size()])

/**
 * @param {string} code
 * @returns {Promise<Chunk[]>} the entry first
 */
const bundleWithWebpack = async (code) => {
  const path = await mkdtemp(join(privateDir(stateDir), 'webpack-'))
  try {
    const entry = join(path, `${entryName}.js`)
    writeFileSync(entry, code)
    const compilation = await compile({
      mode: 'production',
      context: root,
      entry,
      output: { path: join(path, 'out') },
      target: ['web', 'es2022'],
      performance: false,
      infrastructureLogging: { level: 'none' },
    })
    const initial = new Set(compilation.entrypoints.get('main')?.chunks)
    const files = [...compilation.chunks].map((chunk) => ({
      chunk,
      name: String(chunk.name ?? chunk.id),
      code: [...chunk.files].map((file) => readFileSync(join(path, 'out', file), 'utf8')).join('\n'),
      modules: Object.fromEntries(listModules(compilation, chunk)),
    }))
    const names = (/** @type {boolean} */ isInitial) =>
      files.filter(({ chunk }) => initial.has(chunk) === isInitial).map(({ name }) => name)
    // A page loads all initial files. Any other may be asked for.
    return entryFirst(
      files.map(({ chunk, ...file }) => ({
        ...file,
        imports: initial.has(chunk) ? names(true) : [],
        asks: names(false),
      })),
      ({ name }) => name === 'main',
    )
  } finally {
    rmSync(path, { recursive: true })
  }
}

/**
 * The bundlers that a page is weighed with. They split code and minify as they do in an app. webpack leaves nothing out.
 */
export const bundlers = {
  esbuild: bundleWithEsbuild,
  webpack: bundleWithWebpack,
  Rolldown: bundleWithRolldown,
}
