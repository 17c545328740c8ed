import { join } from 'node:path'
import { build } from 'esbuild'
import { defaultClientConditions, type Rolldown, build as viteBuild } from 'vite'
import { afterEach, expect, test, vi } from 'vitest'
import { root } from '../helpers/sources.js'

/** The files of this package that a bundle of some code is made of. */
const bundle = async (contents: string): Promise<string[]> => {
  const { metafile } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    format: 'esm',
    splitting: true,
    outdir: 'out',
    metafile: true,
    write: false,
    minify: true,
    conditions: ['@kassa/source'],
    external: ['react', 'react/*', 'react-dom/*', '@tanstack/*', 'wagmi', 'wagmi/*', 'viem', 'viem/*'],
  })
  // What ends up in the output, and not what was only looked at.
  return Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? file : [])),
  )
}

const isDevtools = (file: string): boolean => file.startsWith('src/devtools/')

test('default: a shop that does not import the panel has nothing of it', async () => {
  const files = await bundle("import * as kassa from 'kassa'; console.log(kassa)")
  expect(files.length).toBeGreaterThan(50)
  expect(files.filter(isDevtools)).toEqual([])
})

test('behavior: one that imports it has', async () => {
  const files = await bundle(
    "import { CheckoutDevtools } from 'kassa/devtools'; console.log(CheckoutDevtools)",
  )
  expect(files.filter(isDevtools)).toContain('src/devtools/panel/Panel.tsx')
})

afterEach(() => vi.unstubAllEnvs())

/** The files that a build of the Vite example is made of. */
const buildExample = async (environment: 'production' | 'development'): Promise<string[]> => {
  vi.stubEnv('NODE_ENV', environment)
  const result = await viteBuild({
    root: join(root, 'examples/vite'),
    mode: environment,
    logLevel: 'error',
    resolve: { conditions: ['@kassa/source', ...defaultClientConditions] },
    build: { write: false },
  })
  const { output } = result as Rolldown.RolldownOutput
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
}

const isPanel = (file: string): boolean => file.includes('/src/devtools/panel/')

test('behavior: the Vite example has the panel during development only', async () => {
  const built = await buildExample('production')
  expect(built.length).toBeGreaterThan(50)
  expect(built.filter(isPanel)).toEqual([])
  expect((await buildExample('development')).filter(isPanel)).not.toEqual([])
})
