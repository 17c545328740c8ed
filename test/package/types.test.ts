import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { listSources, readImports, readSource, root } from '../helpers/sources.js'

/** An outside developer's app: it has its own package.json and finds the built `kassa` in node_modules. */
const app = join(root, '.kassa/consumer')

type Manifest = { exports: Record<string, unknown>; peerDependencies: Record<string, string> }
const manifest: Manifest = JSON.parse(readSource('package.json'))

/** Every entry, with each language as a separate one, as an app imports it. */
const entries = Object.keys(manifest.exports).flatMap((entry) => {
  const name = entry.replace('.', 'kassa')
  if (!name.includes('*')) return name === 'kassa/package.json' ? [] : [name]
  const files = listSources('src/locales', /^[a-z]{2}-[A-Z]{2}\.ts$/)
  return files.map((file) => name.replace('*', basename(file, '.ts')))
})

/** A file of this repository as an app would have it: it knows the sources by the names of the entries. */
const asConsumer = (file: string): string =>
  readSource(file).replace(/'(?:\.\.\/)+src\/(.*?)(?:\/?index)?\.js'/g, (_, path: string) =>
    path === '' ? "'kassa'" : `'kassa/${path}'`,
  )

const examples = listSources('stories', /\.tsx$/).filter(
  (file) =>
    file.includes('/examples/') &&
    readImports(readSource(file)).every((specifier) => !specifier.startsWith('.')),
)
const typeTests = listSources('test', /\.test-d\.ts$/)

const strict = {
  strict: true,
  noEmit: true,
  jsx: 'react-jsx',
  target: 'es2022',
  types: [],
  lib: ['es2023', 'dom'],
}
const manners = {
  bundler: { ...strict, module: 'esnext', moduleResolution: 'bundler' },
  nodenext: {
    ...strict,
    module: 'nodenext',
    moduleResolution: 'nodenext',
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
  },
}

beforeAll(() => {
  rmSync(app, { recursive: true, force: true })
  mkdirSync(app, { recursive: true })
  const write = (name: string, text: string) => writeFileSync(join(app, name), text)
  write('package.json', '{ "name": "shop", "private": true, "type": "module" }')
  const modules = entries.filter((entry) => !entry.endsWith('.css'))
  const imports = modules.map((entry, index) => `import * as entry${index} from '${entry}'`)
  const styles = entries.filter((entry) => entry.endsWith('.css')).map((entry) => `import '${entry}'`)
  const names = modules.map((_, index) => `entry${index}`).join(', ')
  write('entries.ts', `${[...imports, ...styles].join('\n')}\n\nexport const all = [${names}]\n`)
  for (const file of [...examples, ...typeTests]) write(file.replaceAll('/', '.'), asConsumer(file))
  for (const [name, compilerOptions] of Object.entries(manners))
    write(`tsconfig.${name}.json`, JSON.stringify({ compilerOptions, include: ['*.ts', '*.tsx'] }))
  write('mistake.mts', "import { useOrder } from 'kassa'\nuseOrder({ orderId: 1 })\n")
  const careless = { ...manners.bundler, skipLibCheck: true }
  write('tsconfig.mistake.json', JSON.stringify({ compilerOptions: careless, include: ['mistake.mts'] }))
})

/**
 * What a compiler says of the app and of the declarations that `kassa` publishes. Declarations are checked too;
 * what it says of those of other packages is theirs.
 */
const compile = (compiler: string, manner: string): string[] => {
  const tsc = join(root, 'node_modules', compiler, 'bin/tsc')
  const args = [tsc, '-p', `tsconfig.${manner}.json`, '--pretty', 'false']
  const { stdout } = spawnSync(process.execPath, args, { cwd: app, encoding: 'utf8' })
  // npm links `kassa` to this repository, so its declarations are found outside of node_modules.
  return stdout.split('\n').filter((line) => /error TS\d+/.test(line) && !/^[^(]*\bnode_modules\//.test(line))
}

describe.each([
  { name: 'the oldest TypeScript claimed', compiler: 'typescript-5.9' },
  { name: 'the newest TypeScript', compiler: 'typescript' },
])('$name', ({ compiler }) => {
  test.each(Object.keys(manners))('parameters: moduleResolution %s', (manner) => {
    expect(compile(compiler, manner)).toEqual([])
  })
})

test('behavior: the oldest TypeScript claimed is the oldest tried', () => {
  const { version } = JSON.parse(readSource('node_modules/typescript-5.9/package.json'))
  expect(manifest.peerDependencies.typescript).toBe(`>=${version}`)
})

test('behavior: the app uses every entry, the examples and the type tests', () => {
  expect(entries).toContain('kassa/locales/de-DE')
  expect(examples.length).toBeGreaterThan(4)
  expect(typeTests.length).toBeGreaterThan(2)
})

test('error: a mistake in the app is reported', () => {
  expect(compile('typescript', 'mistake').join()).toMatch(/mistake\.mts\(2,12\): error TS2322/)
})
