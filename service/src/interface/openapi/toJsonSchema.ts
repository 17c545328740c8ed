import { fields, Transaction } from 'kassa/schema'
import * as z from 'zod/mini'
import './namedSchemas.js'

/** A JSON Schema, as far as anything here looks into one. */
export type JsonSchema = z.core.JSONSchema.BaseSchema

/** What is described once, under a name, and referred to. */
export type Components = Record<string, JsonSchema>

/** Unions of which a value is exactly one: their forms share no required fields, or differ in a literal. */
const exclusive: ReadonlySet<unknown> = new Set([Transaction, fields.TransactionCall, fields.Approval])

/** Forms that readers accept for the sake of newer services, and that this one never writes. */
const unwritten: ReadonlySet<unknown> = new Set([fields.OtherTransaction])

/** Any JSON at all refers to itself, has no name of its own, and is written without that: generators stumble over it. */
const isJson = (name: string): boolean => name.startsWith('__schema')
const anyJson: JsonSchema = { description: 'Any JSON value' }
const nameOf = (name: string): string => (isJson(name) ? 'Json' : name)

const relocate = (schema: JsonSchema): JsonSchema =>
  JSON.parse(
    JSON.stringify(schema).replaceAll(
      /"#\/\$defs\/([^"]+)"/g,
      (_, name) => `"#/components/schemas/${nameOf(name)}"`,
    ),
  )

/** Two schemas of one name would stand for each other: one of them would be described wrongly. */
const addComponent = (components: Components, name: string, definition: JsonSchema): void => {
  const known = components[name]
  if (known && JSON.stringify(known) !== JSON.stringify(definition)) {
    throw new Error(`two schemas are called ${name}`)
  }
  components[name] = definition
}

/**
 * Writes a schema as JSON Schema: `input` is what a caller may send, `output` what the service answers.
 *
 * A transform at the head of a pipe has no schema of its own. Ours all let a single item stand for a list of one,
 * so both forms are written down.
 *
 * @param components - Gets the schemas that have a name.
 * @throws when there is another schema of one of those names.
 */
export const toJsonSchema = (
  schema: z.ZodMiniType,
  io: 'input' | 'output',
  components: Components,
): JsonSchema => {
  // Inside another schema a named one is always referred to, at the root it would be written out.
  const { properties, $defs } = z.toJSONSchema(z.object({ schema }), {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod
      if (exclusive.has(zodSchema) && jsonSchema.anyOf) {
        const options: readonly unknown[] = def.type === 'union' ? def.options : []
        jsonSchema.oneOf = jsonSchema.anyOf.filter((_, index) => !unwritten.has(options[index]))
        delete jsonSchema.anyOf
      }
      if (io !== 'input' || def.type !== 'pipe' || def.in._zod.def.type !== 'transform') return
      const list = toJsonSchema(def.out as z.ZodMiniType, io, components)
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
      jsonSchema.anyOf = [list.items as JsonSchema, list]
    },
  })
  for (const [name, { id: _, ...definition }] of Object.entries($defs ?? {})) {
    addComponent(components, nameOf(name), isJson(name) ? anyJson : relocate(definition))
  }
  return relocate(properties?.schema as JsonSchema)
}
