import { safeParseRequest } from 'kassa/schema'
import * as z from 'zod/mini'
import { ServiceError } from '../errors.js'

// `zod/mini` has no messages of its own. The service's messages, where a check has one, take precedence over
// these.
z.config(z.locales.en())

type Issue = z.core.$ZodIssue

const writePath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`
    return text ? `${text}.${String(key)}` : String(key)
  }, '')

type Fault = { path: string; message: string }

const readIssue = (issue: Issue): Fault[] => {
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
 * @throws {@link ServiceError} `input-invalid` naming the path of every invalid field.
 */
export const parseInput = <Output>(schema: z.ZodMiniType<Output>, value: unknown, root: string): Output => {
  const parsed = safeParseRequest(schema, value)
  if (parsed.success) return parsed.data
  const messages = new Map<string, string>()
  for (const { path, message } of parsed.error.issues.flatMap(readIssue)) {
    // An empty field also fails its pattern. Only a field's first error is reported, because the rest follow
    // from it.
    if (!messages.has(path)) messages.set(path, `${path || root}: ${message}`)
  }
  throw new ServiceError('input-invalid', [...messages.values()].join('; '))
}
