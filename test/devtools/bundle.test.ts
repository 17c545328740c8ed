import { build } from 'esbuild'
import { expect, test } from 'vitest'
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
