import type { Declaration, Declarations, TypeNode } from './declarations.js'

/** One `data-*` attribute a part writes, as its state type declares it. */
export type StateAttribute = { name: string; type: string; description: string }

const toAttribute = (field: string): string =>
  `data-${field.replace(/^is(?=[A-Z])/, '').replace(/(?<=.)[A-Z]/g, (letter) => `-${letter}`)}`.toLowerCase()

/** The members of a union: the types behind its names, until a name says no more than itself. */
export const listMembers = (
  type: TypeNode,
  from: Declaration,
  all: Declarations,
): [TypeNode, Declaration][] => {
  if (type.type === 'TSUnionType') return type.types.flatMap((member) => listMembers(member, from, all))
  if (type.type === 'TSParenthesizedType') return listMembers(type.typeAnnotation, from, all)
  if (type.type === 'TSIndexedAccessType' && type.indexType.type === 'TSLiteralType') {
    const field = from.print(type.indexType).slice(1, -1)
    return listMembers(type.objectType, from, all).flatMap(([owner, its]) =>
      its
        .readFields(owner)
        .filter(({ name }) => name === field)
        .flatMap((found) => listMembers(found.type, its, all)),
    )
  }
  const named = type.type === 'TSTypeReference' && !type.typeArguments ? all.get(from.print(type)) : undefined
  return named ? listMembers(named.type, named, all) : [[type, from]]
}

/**
 * Reads the state of a part, which is what its `data-*` attributes say: its type `State`.
 *
 * @param name - The name of the part's function, such as `CheckoutPay`.
 */
export const readPartState = (name: string, all: Declarations): StateAttribute[] => {
  const state = all.get(`${name}.State`)
  if (!state) return []
  return listMembers(state.type, state, all).flatMap(([owner, from]) =>
    from.readFields(owner).map((field) => ({
      name: toAttribute(field.name),
      type: [...new Set(listMembers(field.type, from, all).map(([member, its]) => its.print(member)))]
        .filter((member) => member !== 'undefined')
        .join(' | '),
      description: field.comment,
    })),
  )
}
