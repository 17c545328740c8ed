import { parseSync } from 'vite'

type Statement = ReturnType<typeof parseSync>['program']['body'][number]
type Exported = Extract<Statement, { type: 'ExportNamedDeclaration' }>['declaration']
type Alias = Extract<Exported, { type: 'TSTypeAliasDeclaration' }>

/** A type, as the parser sees it. */
export type TypeNode = Alias['typeAnnotation']

/** A field of an object type: its name, its type, and what its doc comment says. */
export type Field = { name: string; type: TypeNode; comment: string }

/** A type some source declares. */
export type Declaration = {
  type: TypeNode
  /** The names of what it takes, such as `Tag` and `State`. */
  parameters: string[]
  /** The source's own words for a type. */
  print(type: TypeNode): string
  /** The fields of an object type in it. */
  readFields(type: TypeNode): Field[]
}

/** The types of some sources, by name. */
export type Declarations = ReadonlyMap<string, Declaration>

const toPlain = (comment: string): string =>
  comment
    .replace(/^\*|\n\s*\*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** Finds the types a source declares. One of a namespace has its name in front: `CheckoutPay.Props`. */
export const readDeclarations = (file: string, source: string): [name: string, Declaration][] => {
  const { program, comments } = parseSync(file, source)
  const print = ({ start, end }: { start: number; end: number }): string =>
    source.slice(start, end).replace(/\s+/g, ' ')
  const readFields = (type: TypeNode): Field[] =>
    type.type !== 'TSTypeLiteral'
      ? []
      : type.members.flatMap((member) => {
          if (member.type !== 'TSPropertySignature' || member.key.type !== 'Identifier') return []
          if (!member.typeAnnotation) return []
          const comment = comments.find(
            ({ end }) => end <= member.start && !source.slice(end, member.start).trim(),
          )
          return {
            name: member.key.name,
            type: member.typeAnnotation.typeAnnotation,
            comment: toPlain(comment?.value ?? ''),
          }
        })
  const readStatement = (statement: Statement, prefix: string): [string, Declaration][] => {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declared?.type === 'TSModuleDeclaration' && declared.id.type === 'Identifier') {
      const { name } = declared.id
      return declared.body?.body.flatMap((inner) => readStatement(inner, `${name}.`)) ?? []
    }
    if (declared?.type !== 'TSTypeAliasDeclaration') return []
    const parameters = declared.typeParameters?.params.map(({ name }) => name.name) ?? []
    return [
      [`${prefix}${declared.id.name}`, { type: declared.typeAnnotation, parameters, print, readFields }],
    ]
  }
  return program.body.flatMap((statement) => readStatement(statement, ''))
}
