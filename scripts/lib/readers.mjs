// Compiles the schemas of answers into readers, so that a page reads them without carrying a schema library.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool } from './build.mjs'
import { compileFile } from './compileReaders.mjs'
import { loadSchemas } from './loadSchemas.mjs'
import { root } from './paths.mjs'

/** The files of readers. What only a shop's server or a wallet asks for stands apart from what a checkout reads. */
const files = [
  'authorizationReaders.ts',
  'developerReaders.ts',
  'readers.ts',
  'refundReaders.ts',
  'tokenReaders.ts',
  'paymentOptionReaders.ts',
  'walletReaders.ts',
]

/**
 * Finds the schemas that the readers of a file read answers by: the library imports `readOrder`, so `Order` is one.
 * @param {string} file
 * @returns {Record<string, string>} the module of each schema, by its name
 */
const findAnswers = (file) => {
  const folder = join(root, 'src/api')
  const sources = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
  const imported = new RegExp(`import \\{([^}]*)\\} from '../schema/${file.replace('.ts', '.js')}'`, 'g')
  const names = [...sources.matchAll(imported)]
    .flatMap(([, list = '']) => [...list.matchAll(/\bread(\w+)/g)].map(([, name = '']) => name))
    .sort()
  const index = readFileSync(join(root, 'src/schema/index.ts'), 'utf8')
  const modules = [...index.matchAll(/^export \{([^}]*)\} from '.\/(\w+)\.js'/gm)]
  return Object.fromEntries(
    [...new Set(names)].map((name) => {
      const found = modules.find(([, list = '']) => new RegExp(`\\b${name}\\b`).test(list))
      if (!found) throw new Error(`src/schema/index.ts exports no ${name}`)
      return [name, found[2] ?? '']
    }),
  )
}

/** Where the readers are. */
export const readersPaths = files.map((file) => join(root, 'src/schema', file))

/** The texts of the readers, in the order of their paths. */
export const compileReaders = async () => {
  const schemas = await loadSchemas()
  return files.map((file) => compileFile(schemas, findAnswers(file)))
}

/** Writes the readers. */
export const writeReaders = async () => {
  const texts = await compileReaders()
  readersPaths.forEach((path, index) => {
    writeFileSync(path, texts[index] ?? '')
  })
  await runTool('@biomejs/biome/bin/biome', ['check', '--write', ...readersPaths])
}
