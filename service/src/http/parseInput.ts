import { safeParseRequest } from 'kassa/schema'
import * as z from 'zod/mini'
import { ServiceError } from '../errors.js'

// `zod/mini` has no messages of its own; ours, where a check has one, go before these.
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
 * Reads what a caller sent. `null` for an optional field means that the field is absent.
 *
 * @param root - What to call the whole of it, where the fault lies with no single field.
 * @throws {@link ServiceError} `input-invalid` naming every field that is wrong by its path.
 */
export const parseInput = <Output>(schema: z.ZodMiniType<Output>, value: unknown, root: string): Output => {
  const parsed = safeParseRequest(schema, value)
  if (parsed.success) return parsed.data
  const messages = new Map<string, string>()
  for (const { path, message } of parsed.error.issues.flatMap(readIssue)) {
    // What is empty fits no pattern either: the first thing wrong with a field is said, the rest follows from it.
    if (!messages.has(path)) messages.set(path, `${path || root}: ${message}`)
  }
  throw new ServiceError('input-invalid', [...messages.values()].join('; '))
}
