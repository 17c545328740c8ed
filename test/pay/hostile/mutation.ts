import type { Amount } from '../../../src/schema/index.js'

/** What a service answers instead of the truth. */
export type Mutation = {
  /** What is asked for, in the order of asking; the last one is given again and again. */
  answers: readonly unknown[]
  /** Whether the payment that was prepared is untouched, so that it may be made, exactly as it was. */
  isHarmless?: boolean
  /** The price the buyer saw, where the app tells. */
  total?: Amount | undefined
}

/** One answer for ever. */
export const always = (answer: unknown): Mutation => ({ answers: [answer] })

/** A value that is not the given one, deeply, as JSON is. */
export const differs =
  (original: unknown) =>
  (value: unknown): boolean =>
    JSON.stringify(value) !== JSON.stringify(original)

/** The keys that lead to a value. */
export type Path = readonly string[]

/** A copy of some JSON with the value at a path replaced, or left out. */
export const change = (json: unknown, [key, ...rest]: Path, value: unknown): unknown => {
  if (key === undefined) return value
  const { [key]: inner, ...others } = json as Record<string, unknown>
  const changed = change(inner, rest, value)
  return changed === undefined ? others : { ...others, [key]: changed }
}
