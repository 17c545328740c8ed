import fc from 'fast-check'

/** A JSON Schema, as far as the published document uses it. */
export type JsonSchema = {
  $ref?: string
  type?: string | readonly string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  not?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  propertyNames?: JsonSchema
  items?: JsonSchema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  pattern?: string
  format?: string
}

/** The named schemas of a document. */
export type Components = Readonly<Record<string, JsonSchema>>

const itemLimit = 3

const json = (): fc.Arbitrary<unknown> => fc.jsonValue({ maxDepth: 2 })

const fromString = ({ pattern, format, minLength = 0, maxLength = 40 }: JsonSchema): fc.Arbitrary<string> => {
  if (format === 'uuid') return fc.uuid()
  if (format === 'date-time') {
    return fc
      .date({ min: new Date('1970-01-01'), max: new Date('2101-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString())
  }
  if (format === 'email') return fc.constantFrom('ada@example.com', 'o.b@sub.example.org')
  if (format === 'bcp47') return fc.constantFrom('en-US', 'de-AT', 'tlh', 'zh-Hant-HK')
  if (pattern) return fc.stringMatching(new RegExp(pattern), { maxLength: 70 })
  return fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 40), unit: 'grapheme' })
}

/** Choices between the required fields of one object. */
const requiredOf = (choices: readonly JsonSchema[] = []): string[][] =>
  choices.flatMap(({ required, ...more }) => (required && !Object.keys(more).length ? [required] : []))

/** Generates objects that satisfy some choices; for `oneOf`, exactly one. */
const fromChoices = (
  { oneOf, anyOf, ...schema }: JsonSchema,
  components: Components,
): fc.Arbitrary<unknown> | undefined => {
  const choices = requiredOf(oneOf ?? anyOf)
  if (!choices.length) return undefined
  return fc.oneof(
    ...choices.map((chosen) => {
      const others = oneOf ? choices.flat().filter((name) => !chosen.includes(name)) : []
      const left = Object.entries(schema.properties ?? {}).filter(([name]) => !others.includes(name))
      const required = [...(schema.required ?? []), ...chosen]
      return fromObject({ ...schema, properties: Object.fromEntries(left), required }, components)
    }),
  )
}

const fromObject = (schema: JsonSchema, components: Components): fc.Arbitrary<unknown> => {
  const { properties = {}, required = [], additionalProperties } = schema
  const fields = Object.fromEntries(
    Object.entries(properties)
      .filter(([, { not }]) => !not)
      .map(([name, field]) => [name, fromSchema(field, components)]),
  )
  const known = fc.record(fields, { requiredKeys: required })
  if (Object.keys(properties).length || additionalProperties === false) return known
  const value =
    typeof additionalProperties === 'object' ? fromSchema(additionalProperties, components) : json()
  return fc.dictionary(fc.string({ maxLength: 8 }), value, { maxKeys: 3 })
}

/** Generates values that a JSON Schema allows. */
export const fromSchema = (schema: JsonSchema, components: Components): fc.Arbitrary<unknown> => {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    const named = components[name]
    if (!named) throw new Error(`nothing is called ${name}`)
    // The schema for any JSON refers to itself.
    return name === 'Json' ? json() : fromSchema(named, components)
  }
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const chosen = fromChoices(schema, components)
  if (chosen) return chosen
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map((choice) => fromSchema(choice, components)))
  if (schema.allOf) return fromSchema(Object.assign({}, ...schema.allOf), components)
  const { minimum = -1e6, maximum = 1e6, type } = schema
  if (typeof type === 'object')
    return fc.oneof(...type.map((one) => fromSchema({ ...schema, type: one }, components)))
  switch (type) {
    case 'string':
      return fromString(schema)
    case 'integer':
      return fc.integer({ min: Math.max(minimum, -1e6), max: Math.min(maximum, 1e6) })
    case 'number':
      return fc.double({ min: minimum, max: maximum, noNaN: true, noDefaultInfinity: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array': {
      const { minItems = 0, maxItems = itemLimit } = schema
      const limits = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, itemLimit)) }
      return fc.array(fromSchema(schema.items ?? {}, components), limits)
    }
    case 'object':
      return fromObject(schema, components)
    default:
      return json()
  }
}
