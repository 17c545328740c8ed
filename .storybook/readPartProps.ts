import type { Declaration, Declarations, Field, TypeNode } from './declarations.js'
import { listMembers } from './readPartState.js'

/** A prop a part takes beside the attributes of its element, in the source's own words. */
export type PartProp = {
  name: string
  type: string
  description: string
  /** The strings it takes, if it takes a few of them only. */
  options?: string[] | undefined
}

/** A type, where it was written, and what its parameters stand for there. */
type Place = { type: TypeNode; from: Declaration; bound: ReadonlyMap<string, Place> }

type Found = Field & { from: Declaration }

/** The fields of an object type: of what it is made of, without what it omits. */
const listFields = ({ type, from, bound }: Place, all: Declarations): Found[] => {
  const listOf = (inner: TypeNode): Found[] => listFields({ type: inner, from, bound }, all)
  switch (type.type) {
    case 'TSTypeLiteral':
      return from.readFields(type).map((field) => ({ ...field, from }))
    case 'TSIntersectionType':
    case 'TSUnionType':
      return type.types.flatMap(listOf)
    case 'TSParenthesizedType':
      return listOf(type.typeAnnotation)
    case 'TSConditionalType':
      return listOf(type.trueType)
    case 'TSTypeReference': {
      const name = /^[\w.]+/.exec(from.print(type))?.[0] ?? ''
      const given = type.typeArguments?.params ?? []
      const [first, second] = given
      if (name === 'Omit' && first && second) {
        const omitted = listMembers(second, from, all).map(([member, its]) => its.print(member).slice(1, -1))
        return listOf(first).filter((field) => !omitted.includes(field.name))
      }
      const place = bound.get(name)
      if (place) return listFields(place, all)
      const named = all.get(name)
      if (!named) return []
      const parameters = named.parameters.flatMap((parameter, index): [string, Place][] => {
        const argument = given[index]
        return argument ? [[parameter, { type: argument, from, bound }]] : []
      })
      return listFields({ type: named.type, from: named, bound: new Map(parameters) }, all)
    }
    default:
      return []
  }
}

/** The members of a union of strings, or `undefined` for any other type. */
const listOptions = ({ type, from }: Found, all: Declarations): string[] | undefined => {
  const members = listMembers(type, from, all)
    .map(([member, its]) => its.print(member))
    .filter((member) => member !== 'undefined')
  return members.every((member) => /^'.*'$/.test(member))
    ? members.map((member) => member.slice(1, -1))
    : undefined
}

/**
 * Reads the props of a part, which Storybook's own reading loses where a type omits some of another's.
 *
 * @param name - The name of the part's function, such as `CheckoutPay`.
 */
export const readPartProps = (name: string, all: Declarations): PartProp[] => {
  const props = all.get(`${name}.Props`)
  if (!props) return []
  const fields = listFields({ type: props.type, from: props, bound: new Map() }, all)
  const byName = new Map(
    fields
      .filter(({ type }) => type.type !== 'TSNeverKeyword')
      .map((field) => {
        const { name: prop, type, comment, from } = field
        const printed = from.print(type).replace(/ \| undefined$/, '')
        return [prop, { name: prop, type: printed, description: comment, options: listOptions(field, all) }]
      }),
  )
  return [...byName.values()]
}
