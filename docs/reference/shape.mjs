import {
  ArrayType,
  Comment,
  CommentTag,
  Converter,
  DeclarationReflection,
  PageEvent,
  ReferenceReflection,
  ReferenceType,
  ReflectionKind,
} from 'typedoc'
import { introductions } from './introductions.mjs'
import { tidy } from './tidy.mjs'

/** @typedef {import('typedoc').Context} Context */
/** @typedef {import('typedoc').ProjectReflection} ProjectReflection */

/** @param {string} text @returns {import('typedoc').CommentDisplayPart} */
const words = (text) => ({ kind: 'text', text })

/** A type that is only said to be what a schema reads. */
const readBySchema = /^z\.(infer|input|output)<typeof \w+>$/

/**
 * Reads a type out of its schema, of which nobody would learn anything: `z.infer<typeof Order>`.
 * @param {Context} context
 * @param {DeclarationReflection} reflection
 */
const readType = (context, reflection) => {
  if (!reflection.kindOf(ReflectionKind.TypeAlias)) return
  const symbol = context.getSymbolFromReflection(reflection)
  const isRead = symbol?.declarations?.some(
    (node) => 'type' in node && readBySchema.test(/** @type {any} */ (node.type)?.getText() ?? ''),
  )
  if (!symbol || !isRead) return
  return context.converter.convertType(context, context.checker.getDeclaredTypeOfSymbol(symbol))
}

/** A field that another schema reads, once or as a list, in the words of the schemas. */
const otherSchema = /^(?:z\.optional\()?(z\.array\()?([A-Z]\w+)\)*$/

/** What reads a field, if its symbol is one of a schema. @param {Context} context @param {DeclarationReflection} reflection */
const readField = (context, reflection) => {
  const nodes = context.getSymbolFromReflection(reflection)?.declarations ?? []
  const texts = nodes.map((node) => /** @type {any} */ (node).initializer?.getText() ?? '')
  const [, list, name] = texts.map((text) => otherSchema.exec(text)).find((match) => match) ?? []
  return name === undefined ? undefined : { name, isList: list !== undefined }
}

/** The heading of a page below which a name stands. @param {DeclarationReflection} reflection */
const groupOf = (reflection) => {
  const { name } = reflection
  if (/^use[A-Z]/.test(name) || /^Use[A-Z]/.test(name)) return 'Hooks'
  if (/Error/.test(name) && !name.startsWith('Checkout')) return 'Errors'
  if (/^Checkout[A-Z]\w*(Props|State)$/.test(name)) return 'Parts'
  if (reflection.kindOf(ReflectionKind.Function)) return /^[A-Z]/.test(name) ? 'Parts' : 'Functions'
  return reflection.kindOf(ReflectionKind.Variable) ? 'Values' : 'Types'
}

/** @param {DeclarationReflection} reflection @param {string} group */
const putInGroup = (reflection, group) => {
  const owners = reflection.signatures ?? [reflection]
  for (const owner of owners) {
    owner.comment ??= new Comment()
    owner.comment.blockTags.push(new CommentTag('@group', [words(group)]))
  }
}

/** Puts units into the text, where they are read. @param {import('typedoc').Reflection} reflection */
const tellUnits = ({ comment }) => {
  const units = comment?.getTag('@units')
  if (!comment || !units) return
  comment.summary.push(words('\n\nUnits: '), ...units.content)
  comment.removeTags('@units')
}

/**
 * Names parameters that have none, and TanStack's options without all that was inferred for them.
 * @param {import('typedoc').SignatureReflection} signature
 */
const shortenSignature = (signature) => {
  for (const parameter of signature.parameters ?? [])
    if (parameter.name === '__namedParameters') parameter.name = 'parameters'
  const options = /\bUse(?:Query|Mutation)Options\b/.exec(signature.type?.toString() ?? '')?.[0]
  if (!options || (signature.type?.type === 'reference' && signature.type.name === options)) return
  signature.type = ReferenceType.createBrokenReference(options, signature.project, '@tanstack/react-query')
}

/**
 * Takes a schema away beside its type, to which everybody who named either is led.
 * @param {ProjectReflection} project
 * @param {DeclarationReflection} type
 * @param {DeclarationReflection} schema
 */
const unite = (project, type, schema) => {
  const references = project
    .getReflectionsByKind(ReflectionKind.Reference)
    .filter((each) => each instanceof ReferenceReflection && each.getTargetReflection() === schema)
  for (const { name, parent } of references) {
    if (!(parent instanceof DeclarationReflection)) continue
    const reference = new ReferenceReflection(name, type, parent)
    parent.addChild(reference)
    project.registerReflection(reference, undefined, undefined)
  }
  for (const reference of references) project.removeReflection(reference)
  project.removeReflection(schema)
  type.comment ??= new Comment()
  type.comment.summary.push(words('\n\n*Schema and type.*'))
}

/**
 * Makes one page of an entry: a schema and its type are one thing, and short names of parts are told once.
 * @param {ProjectReflection} project
 */
const shapeEntries = (project) => {
  const entries = project.getChildrenByKind(ReflectionKind.Module)
  for (const entry of entries) {
    for (const namespace of entry.getChildrenByKind(ReflectionKind.Namespace))
      project.removeReflection(namespace)
    const schemas = entry.getChildrenByKind(ReflectionKind.Variable)
    for (const type of entry.getChildrenByKind(ReflectionKind.TypeAlias)) {
      const schema = schemas.find(({ name }) => name === type.name)
      if (schema) unite(project, type, schema)
    }
  }
  for (const entry of entries) {
    for (const child of entry.children ?? []) putInGroup(child, groupOf(child))
    if (entry.name === 'index') entry.name = 'kassa'
    const introduction = introductions[entry.name]
    if (introduction === undefined) throw new Error(`docs/reference/introductions.mjs lacks ${entry.name}.`)
    entry.comment = new Comment([words(introduction)])
  }
  for (const reflection of Object.values(project.reflections)) {
    tellUnits(reflection)
    if (reflection.isSignature()) shortenSignature(reflection)
    if (reflection.isDeclaration() && reflection.kindOf(ReflectionKind.Property))
      delete reflection.defaultValue
  }
}

/**
 * Names the schema that reads a field in place of all that is in it.
 * @param {ProjectReflection} project
 * @param {DeclarationReflection} reflection
 * @param {{ name: string, isList: boolean }} field
 */
const nameSchema = (project, reflection, { name, isList }) => {
  const schemas = project.getChildByName('schema')
  const target = schemas instanceof DeclarationReflection ? schemas.getChildByName([name]) : undefined
  if (!target) return
  if (reflection.type) project.removeTypeReflections(reflection.type)
  const type = ReferenceType.createResolvedReference(name, target, project)
  reflection.type = isList ? new ArrayType(type) : type
}

/** Shapes what was read of the sources for its readers. @param {import('typedoc').Application} app */
export const shape = (app) => {
  /** @type {Map<DeclarationReflection, import('typedoc').SomeType>} */
  const types = new Map()
  /** @type {Map<DeclarationReflection, { name: string, isList: boolean }>} */
  const fields = new Map()
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, reflection) => {
    const type = readType(context, reflection)
    if (type) types.set(reflection, type)
    const field = reflection.kindOf(ReflectionKind.Property) && readField(context, reflection)
    if (field) fields.set(reflection, field)
  })
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const [reflection, type] of types) reflection.type = type
    shapeEntries(project)
    for (const [reflection, field] of fields) nameSchema(project, reflection, field)
    for (const type of types.values()) if (type.type === 'reflection') delete type.declaration.indexSignatures
  })
  app.renderer.on(PageEvent.END, (page) => {
    if (page.contents) page.contents = tidy(page.contents)
  })
}
