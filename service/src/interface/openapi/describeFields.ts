import * as z from 'zod/mini'

/** What a document says of a field, beyond what its schema knows. */
export type FieldNote = {
  description?: string
  /** What counts where the field is left out. */
  default?: unknown
  examples?: readonly unknown[]
  minLength?: number
  format?: string
  pattern?: string
}

/** A definition, as far as fields are looked for in one. */
type Definition = Pick<z.core.$ZodTypeDef, 'type'> & {
  innerType?: z.core.$ZodType
  out?: z.core.$ZodType
  element?: z.core.$ZodType
  shape?: Readonly<Record<string, z.core.$ZodType>>
}

/** The schema at a field, whatever stands around the object that has it. */
const findField = (schema: z.core.$ZodType, name: string): z.core.$ZodType | undefined => {
  const { innerType, out, element, shape }: Definition = schema._zod.def
  if (shape) return shape[name]
  const inner = innerType ?? out ?? element
  return inner && findField(inner, name)
}

/**
 * Describes fields of a schema, by their paths such as `metadata.name`: for the document alone, so that no browser
 * loads what it says.
 *
 * @throws when the schema has no such field.
 */
export const describeFields = (
  schema: z.core.$ZodType,
  notes: Readonly<Record<string, string | FieldNote>>,
): void => {
  for (const [path, note] of Object.entries(notes)) {
    const field = path
      .split('.')
      .reduce<z.core.$ZodType | undefined>((at, name) => at && findField(at, name), schema)
    if (!field) throw new Error(`there is no field ${path}`)
    const known = z.globalRegistry.get(field)
    z.globalRegistry.add(field, { ...known, ...(typeof note === 'string' ? { description: note } : note) })
  }
}
