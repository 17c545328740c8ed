import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { root } from '../helpers/sources.js'

/** Bundles all of the library for browsers, with what the app has anyway left out. */
const bundle = async (mode: 'development' | 'production'): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents: "export * from './src/index.ts'", resolveDir: root },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
    minifySyntax: true,
    external: [
      'react',
      'react-dom',
      '@tanstack/react-query',
      'wagmi',
      'viem',
      'react/*',
      'viem/*',
      'wagmi/*',
    ],
    write: false,
    logLevel: 'silent',
  })
  return outputFiles.map(({ text }) => text).join('')
}

test('behavior: what is written to the console in development is not in a production bundle', async () => {
  expect(await bundle('development')).toContain('[kassa]')
  const production = await bundle('production')
  expect(production).not.toContain('[kassa]')
  expect(production).not.toContain('console.')
})

test('behavior: they are in a development bundle without the globals of Node, which a browser lacks', async () => {
  expect(await bundle('development')).not.toMatch(/\bprocess\b(?!['"])/)
})
