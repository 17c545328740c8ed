/** What `read.ts` exports. */
const checks = [
  'anything',
  'either',
  'except',
  'list',
  'literal',
  'maybe',
  'number',
  'object',
  'orNull',
  'reader',
  'record',
  'something',
  'text',
  'truth',
]

/** How long a check is, in characters, that is written once where it stands in several places. */
const longEnough = 90

/** Schemas that are one function of `read.ts`. @type {Readonly<Record<string, string>>} */
const plain = { string: 'text', number: 'number', boolean: 'truth', unknown: 'something' }

/**
 * Writes a schema as a check.
 * @param {any} schema
 * @param {(schema: any) => string | undefined} nameOf returns the name of a schema that has a separate reader
 * @returns {string}
 */
const toCheck = (schema, nameOf) => {
  const known = nameOf(schema)
  if (known) return known
  const { def } = schema._zod
  const [only, ...others] = def.checks ?? []
  const members = others.length ? undefined : only?._zod.def.params?.except
  if (members) return `except(${members.map((/** @type {string} */ member) => `'${member}'`).join(', ')})`
  if (def.checks?.length || def.format || (def.catchall && def.catchall._zod.def.type !== 'unknown'))
    throw new Error(`A reader cannot hold the checks of a ${def.type}: answers are read open.`)
  const check = plain[def.type]
  if (check) return check
  switch (def.type) {
    case 'optional':
      if (def.innerType._zod.def.type === 'unknown') return 'anything'
      throw new Error(
        'A reader cannot be made of z.optional: what may be absent may be null, which `maybe` reads.',
      )
    case 'pipe':
      return `maybe(${toCheck(def.out._zod.def.innerType, nameOf)})`
    case 'nullable':
      return `orNull(${toCheck(def.innerType, nameOf)})`
    case 'array':
      return `list(${toCheck(def.element, nameOf)})`
    case 'object': {
      const fields = Object.entries(def.shape).map(
        ([key, field]) => `${/^\w+$/.test(key) ? key : `'${key}'`}: ${toCheck(field, nameOf)}`,
      )
      return `object({ ${fields.join(', ')} })`
    }
    case 'union':
      return `either(${def.options.map((/** @type {any} */ option) => toCheck(option, nameOf)).join(', ')})`
    case 'record':
      return `record(${toCheck(def.valueType, nameOf)})`
    case 'literal':
      return `literal('${def.values[0]}')`
    default:
      throw new Error(`A reader cannot be made of a ${def.type}: ${Object.keys(def)}`)
  }
}

/**
 * Finds what stands in several places of some schemas and is long enough to be written once.
 * @param {any[]} roots
 * @returns {Map<any, string>} what each is called, by the first field it stands in
 */
const findShared = (roots) => {
  /** @type {Map<any, { key: string, count: number }>} */
  const seen = new Map()
  const visit = (/** @type {any} */ schema, /** @type {string} */ key) => {
    const known = seen.get(schema)
    seen.set(schema, { key: known?.key ?? key, count: (known?.count ?? 0) + 1 })
    if (known) return
    const { def } = schema._zod
    for (const [name, field] of Object.entries(def.shape ?? {})) visit(field, name)
    for (const part of [def.innerType, def.out, def.element, def.valueType, ...(def.options ?? [])])
      if (part) visit(part, key)
  }
  for (const schema of roots) visit(schema, 'answer')
  /** @type {Map<any, string>} */
  const named = new Map()
  const taken = new Set()
  for (const [schema, { key, count }] of seen) {
    if (count < 2 || roots.includes(schema) || toCheck(schema, () => undefined).length < longEnough) continue
    const base = `is${key.replace(/^./, (first) => first.toUpperCase())}`
    let name = base
    for (let at = 2; taken.has(name); at++) name = `${base}${at}`
    taken.add(name)
    named.set(schema, name)
  }
  return named
}

/**
 * The text of one file of readers.
 * @param {Record<string, any>} schemas
 * @param {Readonly<Record<string, string>>} answers
 */
export const compileFile = (schemas, answers) => {
  // A schema is longer than what it contains, whose reader has to stand before its own.
  const length = (/** @type {string} */ name) => toCheck(schemas[name], () => undefined).length
  const names = Object.keys(answers).sort((a, b) => length(a) - length(b))
  const checkOf = (/** @type {string} */ name) => `is${name}`
  const shared = findShared(names.map((name) => schemas[name]))
  /** @type {Set<any>} */
  const written = new Set()
  /** @type {string[]} */
  const parts = []
  const writePart = (/** @type {any} */ schema, /** @type {string} */ called) => {
    if (written.has(schema)) return
    written.add(schema)
    const nameOf = (/** @type {any} */ other) => (other === schema ? undefined : callOf(other))
    parts.push(`const ${called} = /* @__PURE__ */ ${toCheck(schema, nameOf)}\n`)
  }
  const callOf = (/** @type {any} */ schema) => {
    const called = shared.get(schema)
    if (called) writePart(schema, called)
    return called
  }
  const readers = names.map((name) => {
    const nameOf = (/** @type {any} */ schema) => {
      const other = names.find((one) => one !== name && schemas[one] === schema)
      return other ? checkOf(other) : callOf(schema)
    }
    return `const ${checkOf(name)} = /* @__PURE__ */ ${toCheck(schemas[name], nameOf)}

/** Reads what the schema ${name} describes. */
export const read${name}: Reader<${name}> = /* @__PURE__ */ reader(${checkOf(name)})
`
  })
  const code = [...parts, ...readers].join('\n')
  const used = checks.filter((name) => new RegExp(`\\b${name}\\b`).test(code.replace(/\w+:/g, '')))
  const functions = used.flatMap((name) => (name === 'reader' ? ['type Reader', name] : [name]))
  const imports = [...new Set(Object.values(answers)), 'read'].sort().map((file) => {
    const types = names.filter((name) => answers[name] === file).sort()
    const what = file === 'read' ? `{ ${functions.join(', ')} }` : `type { ${types.join(', ')} }`
    return `import ${what} from './${file}.js'`
  })
  return `// Made by \`npm run fix\` out of the schemas it imports; not to be edited.
${imports.join('\n')}

${code}`
}
