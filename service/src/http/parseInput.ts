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

const writeIssue = (issue: Issue, root: string): string[] => {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${writePath([...issue.path, key])}: not a field that can be given here`)
  }
  const isMissing = issue.code === 'invalid_type' && issue.input === undefined
  const message = isMissing ? 'required' : issue.message.replace(/^Invalid input: /, '')
  return [`${writePath(issue.path) || root}: ${message}`]
}

/**
 * Reads what a caller sent.
 *
 * @param root - What to call the whole of it, where the fault lies with no single field.
 * @throws {@link ServiceError} `input-invalid` naming every field that is wrong by its path.
 */
export const parseInput = <Output>(schema: z.ZodMiniType<Output>, value: unknown, root: string): Output => {
  const parsed = z.safeParse(schema, value, { reportInput: true })
  if (parsed.success) return parsed.data
  const messages = parsed.error.issues.flatMap((issue) => writeIssue(issue, root))
  throw new ServiceError('input-invalid', [...new Set(messages)].join('; '))
}
