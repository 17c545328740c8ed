import { readField } from '../errors/readField.js'

/** The EIP-712 types that a credential carries. */
export type CredentialTypes = Record<string, readonly { name: string; type: string }[]>

const isMember = (member: unknown): boolean =>
  typeof readField(member, 'name') === 'string' && typeof readField(member, 'type') === 'string'

/** Reads types from an untrusted value; undefined if they are invalid. */
export const readCredentialTypes = (value: unknown): CredentialTypes | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  const isSound = Object.values(value).every((fields) => Array.isArray(fields) && fields.every(isMember))
  return isSound ? (value as CredentialTypes) : undefined
}

/** Whether the types name every field of the value. A signature covers only the fields its types name. */
export const isCovered = (types: CredentialTypes, type: string, value: unknown): boolean => {
  const element = /^(.+)\[\d*\]$/.exec(type)?.[1]
  if (element !== undefined)
    return Array.isArray(value) && value.every((item) => isCovered(types, element, item))
  const fields = Object.hasOwn(types, type) ? types[type] : undefined
  if (!fields) return typeof value !== 'object'
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.entries(value).every(([name, inner]) => {
    const field = fields.find((known) => known.name === name)
    return field !== undefined && isCovered(types, field.type, inner)
  })
}
