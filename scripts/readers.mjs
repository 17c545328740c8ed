// Compiles the schemas of answers into readers, so that a page reads them without carrying a schema library.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { privateDir, root, stateDir } from './lib/paths.mjs'

/** Where the readers are. */
export const readersPath = join(root, 'src/schema/readers.ts')

/** Schemas that a page reads answers by. */
const answers = ['Order', 'CreateOrderAnswer', 'ErrorAnswer']

/** Gets the schemas as they are in the sources. @returns {Promise<Record<string, any>>} */
const loadSchemas = async () => {
  const folder = mkdtempSync(join(privateDir(stateDir), 'schemas-'))
  const outfile = join(folder, 'schemas.mjs')
  const contents = answers
    .map((name) => `export { ${name} } from './${name.charAt(0).toLowerCase()}${name.slice(1)}.js'`)
    .join('\n')
  try {
    await build({
      stdin: { contents, resolveDir: join(root, 'src/schema') },
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

/**
 * Writes a schema as a check.
 * @param {any} schema
 * @param {(schema: any) => string | undefined} nameOf how a schema that has a reader of its own is called
 * @returns {string}
 */
const toCheck = (schema, nameOf) => {
  const known = nameOf(schema)
  if (known) return known
  const { def } = schema._zod
  if (def.checks?.length || def.format || (def.catchall && def.catchall._zod.def.type !== 'unknown'))
    throw new Error(`A reader cannot hold the checks of a ${def.type}: answers are read open.`)
  switch (def.type) {
    case 'string':
      return 'text'
    case 'number':
      return 'number'
    case 'unknown':
      return 'anything'
    case 'optional':
      return `maybe(${toCheck(def.innerType, nameOf)})`
    case 'array':
      return `list(${toCheck(def.element, nameOf)})`
    case 'object': {
      const fields = Object.entries(def.shape).map(([key, field]) => `${key}: ${toCheck(field, nameOf)}`)
      return `object({ ${fields.join(', ')} })`
    }
    default:
      throw new Error(`A reader cannot be made of a ${def.type}: ${Object.keys(def)}`)
  }
}

/** The text of the readers. */
export const compileReaders = async () => {
  const schemas = await loadSchemas()
  const checkOf = (/** @type {string} */ name) => `is${name}`
  const lines = answers.map((name) => {
    const nameOf = (/** @type {any} */ schema) => {
      const other = answers.find((one) => one !== name && schemas[one] === schema)
      return other && checkOf(other)
    }
    return `const ${checkOf(name)} = /* @__PURE__ */ ${toCheck(schemas[name], nameOf)}

/** Reads what the schema ${name} describes. */
export const read${name} = /* @__PURE__ */ reader<${name}>(${checkOf(name)})
`
  })
  const imports = answers
    .map((name) => `import type { ${name} } from './${name.charAt(0).toLowerCase()}${name.slice(1)}.js'`)
    .sort()
  return `// Made by \`node scripts/readers.mjs\` out of the schemas it imports; not to be edited.
${imports.join('\n')}
import { anything, list, maybe, number, object, reader, text } from './read.js'

${lines.join('\n')}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(readersPath, await compileReaders())
