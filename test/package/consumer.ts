import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { listSources, readImports, readSource, root } from '../helpers/sources.js'

/** An outside developer's app. It has its own package.json and finds the built `kassa` in node_modules. */
const app = join(root, '.kassa/consumer', process.env.VITEST_POOL_ID ?? '')

type Manifest = { exports: Record<string, unknown>; peerDependencies: Record<string, string> }
export const manifest: Manifest = JSON.parse(readSource('package.json'))

/** Every entry, with each language as a separate one, as an app imports it. */
export const entries = Object.keys(manifest.exports).flatMap((entry) => {
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

export const examples = listSources('stories', /\.tsx$/).filter(
  (file) =>
    file.includes('/examples/') &&
    readImports(readSource(file)).every((specifier) => !specifier.startsWith('.')),
)
export const typeTests = listSources('test', /\.test-d\.ts$/)

const strict = {
  strict: true,
  noEmit: true,
  jsx: 'react-jsx',
  target: 'es2022',
  types: [],
  lib: ['es2023', 'dom'],
}
export const manners = {
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

/** Writes the app. */
export const writeApp = (): void => {
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
}

/**
 * What a compiler says of the app and of the declarations that `kassa` publishes. Declarations are checked too;
 * what it says of those of other packages is theirs.
 */
export const compile = (compiler: string, manner: string): string[] => {
  const tsc = join(root, 'node_modules', compiler, 'bin/tsc')
  const args = [tsc, '-p', `tsconfig.${manner}.json`, '--pretty', 'false']
  const { stdout } = spawnSync(process.execPath, args, { cwd: app, encoding: 'utf8' })
  // npm links `kassa` to this repository, so its declarations are found outside of node_modules.
  return stdout.split('\n').filter((line) => /error TS\d+/.test(line) && !/^[^(]*\bnode_modules\//.test(line))
}
