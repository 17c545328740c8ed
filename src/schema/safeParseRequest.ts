import * as z from 'zod/mini'
import { nullForLimit } from './noLimit.js'

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

/** Lists the fields that are null although the schema does not accept null for them. Limits stay, and are refused. */
const listNullFields = (issues: readonly Issue[], at: Path = []): Path[] =>
  issues.flatMap((issue) => {
    if (issue.message === nullForLimit) return []
    const path = [...at, ...issue.path]
    const inMembers = issue.code === 'invalid_union' ? issue.errors : []
    return [
      ...(issue.input === null && typeof path.at(-1) === 'string' ? [path] : []),
      ...inMembers.flatMap((member) => listNullFields(member, path)),
    ]
  })

const removeField = (root: unknown, path: Path): void => {
  let parent = root
  for (const key of path.slice(0, -1)) {
    // A single line item is parsed as a list of one, so its path has an index that the request lacks.
    if (typeof key === 'number' && !Array.isArray(parent)) continue
    if (typeof parent !== 'object' || parent === null) return
    parent = Reflect.get(parent, key)
  }
  const last = path.at(-1)
  if (last !== undefined && typeof parent === 'object' && parent !== null)
    Reflect.deleteProperty(parent, last)
}

/**
 * Parses a request. `null` for a field means that the field is absent, unless the schema takes `null` for that field.
 * `null` for a limit is refused.
 *
 * @param schema - The schema of the body or the query.
 * @param value - The request as JSON. It is not changed.
 * @param params - Further settings of the parser, such as its messages.
 * @source answers.md "Revised: Reading and writing"
 */
export const safeParseRequest = <Output>(
  schema: z.ZodMiniType<Output>,
  value: unknown,
  params?: z.core.ParseContext<Issue>,
): z.util.SafeParseResult<Output> => {
  const context = { ...params, reportInput: true }
  let parsed = z.safeParse(schema, value, context)
  let request = value
  // Some faults appear only after others are gone. Each round removes a field, so the loop ends.
  while (parsed.error) {
    const fields = listNullFields(parsed.error.issues)
    if (fields.length === 0) break
    if (request === value) request = structuredClone(value)
    for (const field of fields) removeField(request, field)
    parsed = z.safeParse(schema, request, context)
  }
  return parsed
}
