import * as z from 'zod/mini'
import { safeParseRequest } from '../schema/safeParseRequest.js'
import { InvalidInput } from './invalidInput.js'

// `zod/mini` has no messages of its own. Where a check has one, it takes precedence over these. They apply to
// one call only, so that the global ones of an app under test stay.
const { localeError: error } = z.locales.en()

type Issue = z.core.$ZodIssue

const writePath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`
    return text ? `${text}.${String(key)}` : String(key)
  }, '')

const readIssue = (issue: Issue): { path: string; message: string }[] => {
  if (issue.code === 'unrecognized_keys') {
    const message = 'not a field that can be given here'
    return issue.keys.map((key) => ({ path: writePath([...issue.path, key]), message }))
  }
  const isMissing = /^invalid_(type|value|union)$/.test(issue.code) && issue.input === undefined
  const message = isMissing ? 'required' : issue.message.replace(/^Invalid input: /, '')
  return [{ path: writePath(issue.path), message }]
}

/**
 * Parses a caller's input. `null` for an optional field means that the field is absent.
 *
 * @param root - The name of the whole input, for errors that concern no single field.
 * @throws {@link InvalidInput} naming the path of every invalid field.
 */
export const parseInput = <Output>(schema: z.ZodMiniType<Output>, value: unknown, root: string): Output => {
  const parsed = safeParseRequest(schema, value, { error })
  if (parsed.success) return parsed.data
  const messages = new Map<string, string>()
  for (const { path, message } of parsed.error.issues.flatMap(readIssue)) {
    // An empty field also fails its pattern. Only a field's first error is reported, because the rest follow
    // from it.
    if (!messages.has(path)) messages.set(path, `${path || root}: ${message}`)
  }
  throw new InvalidInput([...messages.values()].join('; '))
}

/**
 * Creates a schema that parses a value by the one schema it is meant for, so that errors name the fields of
 * that schema instead of those of every alternative.
 *
 * @param shapeOf - Chooses the schema for a value.
 */
export const discriminate = <Value>(
  shapeOf: (value: unknown) => z.ZodMiniType<Value>,
): z.ZodMiniPipe<z.ZodMiniUnknown, z.ZodMiniTransform<Value, unknown>> =>
  z.pipe(
    z.unknown(),
    z.transform((value: unknown, { issues }) => {
      const parsed = z.safeParse(shapeOf(value), value, { reportInput: true, error })
      if (parsed.success) return parsed.data
      // A deliberate cast: an issue of the value is also an issue of the object that contains it, in the same
      // words.
      issues.push(...(parsed.error.issues as z.core.$ZodRawIssue[]))
      return z.NEVER
    }),
  )
