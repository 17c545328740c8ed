import {
  Comment,
  CommentTag,
  Converter,
  DeclarationReflection,
  PageEvent,
  ReferenceReflection,
  ReferenceType,
  ReflectionKind,
  TypeScript,
} from 'typedoc'
import { introductions } from './introductions.mjs'
import { tidy } from './tidy.mjs'

/** @typedef {import('typedoc').Context} Context */
/** @typedef {import('typedoc').ProjectReflection} ProjectReflection */

/** @param {string} text @returns {import('typedoc').CommentDisplayPart} */
const words = (text) => ({ kind: 'text', text })

/** A type that is only said to be what a schema reads. */
const readBySchema = /^z\.(infer|input|output)<typeof \w+>$/

/** Whether a declaration says no more than that a schema reads it. @param {TypeScript.Node} node */
const isReadBySchema = (node) =>
  TypeScript.isTypeAliasDeclaration(node) && readBySchema.test(node.type.getText())

/**
 * Every type of fields that a schema reads, and its name.
 * @param {readonly TypeScript.Program[]} programs
 * @returns {Map<TypeScript.Type, TypeScript.Symbol>}
 */
const listReadTypes = (programs) => {
  const names = new Map()
  for (const program of programs) {
    const checker = program.getTypeChecker()
    const nodes = program
      .getSourceFiles()
      .flatMap(({ isDeclarationFile, statements }) =>
        isDeclarationFile ? [] : statements.filter(isReadBySchema),
      )
    for (const node of nodes) {
      const symbol = checker.getSymbolAtLocation(/** @type {TypeScript.TypeAliasDeclaration} */ (node).name)
      const type = symbol && checker.getDeclaredTypeOfSymbol(symbol)
      const { Object: object, Union: union } = TypeScript.TypeFlags
      if (type && type.flags & (object | union) && !names.has(type)) names.set(type, symbol)
    }
  }
  return names
}

/**
 * Has what a schema reads named wherever it is met, also where the compiler has forgotten its name: what is in it
 * only its own place tells.
 * @param {import('typedoc').Converter} converter
 * @returns {import('typedoc').Converter['convertType']} what tells that
 */
const nameTypes = (converter) => {
  const convertType = converter.convertType.bind(converter)
  /** @type {ReturnType<typeof listReadTypes>} */
  let names = new Map()
  converter.on(Converter.EVENT_BEGIN, ({ programs }) => {
    names = listReadTypes(programs)
  })
  /**
   * @param {Context} context
   * @param {TypeScript.Type | TypeScript.TypeNode | undefined} type
   * @param {TypeScript.TypeNode} [node]
   */
  converter.convertType = (context, type, node) => {
    if (!type || 'kind' in type) return convertType(context, type)
    const symbol = names.get(type)
    if (symbol) return context.createSymbolReference(symbol, context)
    // What the sources write keeps its names; what is inferred of it has lost them.
    return node ? convertType(context, node) : convertType(context, type)
  }
  return convertType
}

/**
 * Reads a type out of its schema, because its declaration says nothing: `z.infer<typeof Order>`.
 * @param {Context} context
 * @param {DeclarationReflection} reflection
 * @param {import('typedoc').Converter['convertType']} tellType
 */
const readType = (context, reflection, tellType) => {
  if (!reflection.kindOf(ReflectionKind.TypeAlias)) return
  const symbol = context.getSymbolFromReflection(reflection)
  if (!symbol?.declarations?.some(isReadBySchema)) return
  return tellType(context, context.checker.getDeclaredTypeOfSymbol(symbol))
}

/** The heading of a page below which a name stands. @param {DeclarationReflection} reflection */
const groupOf = (reflection) => {
  const { name } = reflection
  if (/^use[A-Z]/.test(name) || /^Use[A-Z]/.test(name)) return 'Hooks'
  if (name.startsWith('Checkout.') || name.startsWith('CheckoutProvider')) return 'Parts'
  if (/Error/.test(name)) return 'Errors'
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
 * Moves what a namespace holds to its entry, under its full name: `Checkout.Pay` and `Checkout.Pay.Props`.
 * @param {ProjectReflection} project
 * @param {DeclarationReflection} namespace
 */
const flatten = (project, namespace) => {
  for (const child of [...(namespace.children ?? [])]) child.name = `${namespace.name}.${child.name}`
  const inner = namespace.getChildrenByKind(ReflectionKind.Namespace)
  for (const child of inner) flatten(project, child)
  const { parent } = namespace
  if (parent instanceof DeclarationReflection) project.mergeReflections(namespace, parent)
}

/**
 * Makes one page of an entry: a schema and its type are one thing, and parts stand under their full names.
 * @param {ProjectReflection} project
 */
const shapeEntries = (project) => {
  const entries = project.getChildrenByKind(ReflectionKind.Module)
  for (const entry of entries) {
    for (const namespace of entry.getChildrenByKind(ReflectionKind.Namespace))
      if (['Checkout', 'members'].includes(namespace.name)) flatten(project, namespace)
      else project.removeReflection(namespace)
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

/** Shapes what was read of the sources for its readers. @param {import('typedoc').Application} app */
export const shape = (app) => {
  /** @type {Map<DeclarationReflection, import('typedoc').SomeType>} */
  const types = new Map()
  const tellType = nameTypes(app.converter)
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, reflection) => {
    const type = readType(context, reflection, tellType)
    if (type) types.set(reflection, type)
  })
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const [reflection, type] of types) reflection.type = type
    shapeEntries(project)
    // That answers may hold more is said once, at the head of the page.
    for (const reflection of Object.values(project.reflections))
      if (reflection.isDeclaration() && reflection.children?.length) delete reflection.indexSignatures
  })
  app.renderer.on(PageEvent.END, (page) => {
    if (page.contents) page.contents = tidy(page.contents)
  })
}
