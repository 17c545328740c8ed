import fc from 'fast-check'
import { readApprovals, readParams, readWalletBody } from 'kassa/engine'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { parseInput } from '#base/lib/parseInput.js'
import { createDocument } from '#interface/openapi/createDocument.js'
import { routes } from '#interface/routes/index.js'
import { type Components, fromSchema, type JsonSchema } from '../../helpers/fromSchema.js'

type Path = readonly (string | number)[]

const Document = z.looseObject({ components: z.looseObject({ schemas: z.custom<Components>() }) })
const { components } = z.parse(Document, createDocument(routes, 'http://localhost:4000'))
const { schemas } = components
const BodyOf = z.looseObject({
  requestBody: z.looseObject({
    content: z.looseObject({ 'application/json': z.looseObject({ schema: z.custom<JsonSchema>() }) }),
  }),
})

const resolve = (schema: JsonSchema): JsonSchema =>
  schema.$ref ? resolve(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const takesNull = (schema: JsonSchema): boolean => {
  const { type, anyOf, oneOf } = resolve(schema)
  return type === 'null' || (anyOf ?? oneOf ?? []).some(takesNull)
}

/** Whether a value matches one of the choices of a schema. */
const isMeantAs = (value: unknown, choice: JsonSchema): boolean => {
  const { type, required = [], properties = {} } = resolve(choice)
  if (Array.isArray(value)) return type === 'array'
  if (!isObject(value)) return false
  const hasConstants = Object.entries(properties).every(
    ([name, field]) => !('const' in field) || field.const === value[name],
  )
  return type !== 'array' && hasConstants && required.every((name) => name in value)
}

/** Lists the optional fields in a value, present or not, that do not accept null. */
const listOptional = (schema: JsonSchema, value: unknown, at: Path = []): Path[] => {
  const { anyOf, oneOf, properties = {}, required = [], items } = resolve(schema)
  const choices = (anyOf ?? oneOf ?? []).filter((choice) => isMeantAs(value, choice))
  const inChoices = choices.flatMap((choice) => listOptional(choice, value, at))
  if (Array.isArray(value)) {
    return [
      ...inChoices,
      ...(items ? value.flatMap((item, index) => listOptional(items, item, [...at, index])) : []),
    ]
  }
  if (!isObject(value)) return []
  const own = Object.entries(properties).flatMap(([name, field]) => [
    ...(required.includes(name) || takesNull(field) ? [] : [[...at, name]]),
    ...listOptional(field, value[name], [...at, name]),
  ])
  return [...inChoices, ...own]
}

/** The limits, which `null` neither removes nor leaves out. */
const isLimit = (field: Path): boolean =>
  /(^supplyLimit|^maxUses|^expiresAt|^supply\.limit|^sale\.maxPerBuyer(\.\w+)?|phases\.\d+\.maxTokens|promotionCodes\.\d+\.limit)$/.test(
    field.join('.'),
  )

const writePath = (path: Path): string =>
  path.map((key, at) => (typeof key === 'number' ? `[${key}]` : at ? `.${key}` : key)).join('')

const change = (
  value: unknown,
  [key, ...rest]: Path,
  set: (parent: Record<string, unknown>) => void,
): unknown => {
  const copy = structuredClone(value)
  const parent = [key, ...rest]
    .slice(0, -1)
    .reduce<unknown>((inner, step) => Reflect.get(inner as object, step ?? ''), copy)
  set(parent as Record<string, unknown>)
  return copy
}

const tryRead = (read: (body: unknown) => unknown, body: unknown): unknown => {
  try {
    return read(body)
  } catch (error) {
    return error instanceof Error ? error.message : error
  }
}

/** Operations whose verb parses the body. */
const readers: Readonly<Record<string, (body: unknown) => unknown>> = {
  createWallet: readWalletBody,
  createTransaction: (body) => readParams('evm-smart-wallet', body),
  approveTransaction: readApprovals,
}

describe.each(routes.flatMap((route) => (route.body ? [{ ...route, body: route.body }] : [])))(
  '$operationId',
  ({ operationId, body, method, path }) => {
    const document = z.parse(
      z.looseObject({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) }),
      createDocument(routes, 'http://localhost:4000'),
    )
    const operation = z.parse(BodyOf, document.paths[path]?.[method])
    const { schema } = operation.requestBody.content['application/json']
    const read = readers[operationId] ?? ((value: unknown) => parseInput(body, value, 'body'))

    test('behavior: null for an optional field counts as an absent field, and null for a limit is refused', () => {
      for (const value of fc.sample(fromSchema(schema, schemas), { numRuns: 40, seed: 1 })) {
        for (const field of listOptional(schema, value)) {
          const name = `${field.at(-1)}`
          const withNull = change(value, field, (parent) => Object.assign(parent, { [name]: null }))
          const where = `${field.join('.')} in ${JSON.stringify(withNull)}`
          if (isLimit(field)) {
            expect(tryRead(read, withNull), where).toContain(`${writePath(field)}: null is not a limit`)
            continue
          }
          const without = change(value, field, (parent) => Reflect.deleteProperty(parent, name))
          expect(tryRead(read, withNull), where).toEqual(tryRead(read, without))
        }
      }
    })
  },
)
