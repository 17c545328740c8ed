import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../helpers/sources.js'
import { pack } from './pack.js'

type Manifest = {
  license: string
  engines: { node: string }
  sideEffects?: string[]
  dependencies: Record<string, string>
  peerDependencies: Record<string, string>
}

const read = (folder: string, file: string): string => readFileSync(join(root, folder, file), 'utf8')
const readManifest = (folder: string): Manifest => JSON.parse(read(folder, 'package.json'))
const topsOf = (files: string[]): string[] =>
  [...new Set(files.map((file) => file.replace(/\/.*/, '/')))].sort()

const packages = [
  {
    name: 'kassa',
    folder: '.',
    tops: ['CHANGELOG.md', 'LICENSE', 'README.md', 'dist/', 'errors/', 'package.json', 'src/'],
    // The limits find what does not belong into a package, so they leave room for a few sentences.
    // The engine is in it: the service, as another package, imports the rules of orders, wallets and requests from
    // here. A tenth is for Solana.
    maxSize: 1_700_000,
  },
  {
    name: 'kassa-service',
    folder: 'service',
    tops: ['CHANGELOG.md', 'LICENSE', 'README.md', 'contracts/', 'dist/', 'package.json', 'src/'],
    // Two fifths of it are Scalar, the page of the interface. The console's pages are a fourteenth.
    maxSize: 3_800_000,
  },
]

describe.each(packages)('$name', ({ folder, tops, maxSize }) => {
  const { files, size } = pack(folder)
  // Scalar is another project's work, published as it is. The console's pages are bundled with other packages.
  const own = files.filter((file) => !/^dist\/(interface\/openapi\/scalar|consoleApp|payApp)\//.test(file))

  test('default', () => {
    expect(topsOf(files)).toEqual(tops)
    expect(size).toBeLessThan(maxSize)
  })

  test('behavior: nothing of a test, a story or a machine is published', () => {
    const odd = /(^|\/)(test|stories|node_modules|\.[^/]+)(\/|$)|\.(test|stories|tsbuildinfo|log|tgz)/
    expect(files.filter((file) => odd.test(file))).toEqual([])
  })

  test('behavior: everything built has its source beside it', () => {
    const published = new Set(files)
    const sources = (built: string) =>
      ['.ts', '.tsx'].map((ending) => built.replace(/^dist\//, 'src/').replace(/\.js$/, ending))
    const built = own.filter((file) => /^dist\/.*\.js$/.test(file))
    expect(built.length).toBeGreaterThan(100)
    expect(built.filter((file) => !sources(file).some((source) => published.has(source)))).toEqual([])
    expect(built.filter((file) => !published.has(`${file}.map`))).toEqual([])
  })

  test('behavior: every map leads to a published source', () => {
    const published = new Set(files)
    const lost = files
      .filter((file) => file.endsWith('.map'))
      .flatMap((map) => {
        const { sources, sourceRoot = '' }: { sources: string[]; sourceRoot?: string } = JSON.parse(
          read(folder, map),
        )
        expect(sources.length, map).toBeGreaterThan(0)
        return sources
          .map((source) => posix.join(posix.dirname(map), sourceRoot, source))
          .filter((source) => !published.has(source))
          .map((source) => `${map} → ${source}`)
      })
    expect(lost).toEqual([])
  })

  test('behavior: every built file names its map', () => {
    const compiled = own.filter((file) => /^dist\/.*(\.js|\.d\.ts)$/.test(file))
    const unnamed = compiled.filter(
      (file) =>
        !read(folder, file)
          .trimEnd()
          .endsWith(`//# sourceMappingURL=${posix.basename(file)}.map`),
    )
    expect(unnamed).toEqual([])
  })

  test('behavior: its licence is the repository’s', () => {
    expect(read(folder, 'LICENSE')).toBe(read('.', 'LICENSE'))
    expect(readManifest(folder)).toMatchObject({ license: 'MIT', engines: readManifest('.').engines })
  })
})

test('behavior: what a browser downloads of kassa depends on nothing but its peers, the schemas and the encoder of QR codes', () => {
  const { dependencies, peerDependencies, sideEffects } = readManifest('.')
  expect(Object.keys(dependencies)).toEqual(['uqr', 'zod'])
  expect(Object.keys(peerDependencies)).toEqual([
    '@tanstack/react-query',
    'react',
    'react-dom',
    'typescript',
    'viem',
    'wagmi',
  ])
  expect(sideEffects).toEqual(['**/*.css'])
})
