import * as z from 'zod/mini'

type JsonSchema = z.core.JSONSchema.BaseSchema

/**
 * Writes a schema as JSON Schema: `input` is what a caller may send, `output` what the service answers.
 *
 * A transform at the head of a pipe has no schema of its own. Ours all let a single item stand for a list of one,
 * so both forms are written down.
 */
export const toJsonSchema = (schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema => {
  const { $schema: _, ...written } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod
      if (io !== 'input' || def.type !== 'pipe' || def.in._zod.def.type !== 'transform') return
      const list = toJsonSchema(def.out as z.ZodMiniType, io)
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
      jsonSchema.anyOf = [list.items as JsonSchema, list]
    },
  })
  return written
}
