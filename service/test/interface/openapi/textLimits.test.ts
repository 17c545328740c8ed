import { expect, test } from 'vitest'
import { createDocument } from '#interface/openapi/createDocument.js'
import { routes } from '#interface/routes/index.js'

type Schema = {
  $ref?: string
  type?: string
  maxLength?: number
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  propertyNames?: Schema
  items?: Schema
} & Partial<Record<'anyOf' | 'oneOf' | 'allOf' | 'prefixItems', Schema[]>>

type Operation = {
  operationId: string
  parameters?: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

const document = createDocument(routes, 'http://localhost:4000') as unknown as {
  paths: Record<string, Record<string, Operation>>
}

/** Texts whose length is not limited by themselves, and by what it is limited. */
const otherwise: Record<string, string> = {
  'createOrder.metadata.<key>': 'the JSON of the whole metadata',
  'uploadFile.file': 'the bytes of the file',
}

const follow = (schema: Schema): Schema => {
  if (!schema.$ref) return schema
  const path = schema.$ref.slice(2).split('/')
  return path.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], document) as Schema
}

/** Whether a regular expression matches texts of any length. */
const isEndless = (pattern: string): boolean => {
  const withoutClasses = pattern.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x')
  return /[*+]|\{\d+,\}/.test(withoutClasses)
}

const isLimited = ({ maxLength, enum: members, const: only, format, pattern }: Schema): boolean =>
  maxLength !== undefined ||
  members !== undefined ||
  only !== undefined ||
  format === 'uuid' ||
  format === 'date-time' ||
  (pattern !== undefined && !isEndless(pattern))

/** Lists the texts that a schema lets be of any length. */
const findEndless = (given: Schema, path: string, outer: readonly Schema[] = []): string[] => {
  const schema = follow(given)
  if (outer.includes(schema)) return []
  const go = (inner: Schema, innerPath: string) => findEndless(inner, innerPath, [...outer, schema])
  const { additionalProperties: others, propertyNames, items, anyOf, oneOf, allOf, prefixItems } = schema
  const alternatives = [anyOf, oneOf, allOf, prefixItems].flatMap((list) => list ?? [])
  return [
    ...(schema.type === 'string' && !isLimited(schema) ? [path] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => go(inner, `${path}.${name}`)),
    ...alternatives.flatMap((inner) => go(inner, path)),
    ...(items ? go(items, `${path}[]`) : []),
    ...(typeof others === 'object' ? go(others, `${path}.*`) : []),
    ...(propertyNames ? go(propertyNames, `${path}.<key>`) : []),
  ]
}

test('default: every text of every request has a longest length', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  const endless = operations.flatMap(({ operationId, parameters = [], requestBody }) => [
    ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => findEndless(schema, operationId)),
    // The server limits the path and the headers of a request, all together.
    ...parameters
      .filter((parameter) => parameter.in === 'query')
      .flatMap(({ name, schema }) => findEndless(schema, `${operationId}?${name}`)),
  ])
  expect(operations.length).toBeGreaterThan(30)
  expect(endless.filter((path) => !(path in otherwise))).toEqual([])
})
