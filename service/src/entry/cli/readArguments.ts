import { UsageError } from './UsageError.js'

/**
 * Requires an option.
 *
 * @throws {@link UsageError} naming it.
 */
export const requireOption = (name: string, value: string | undefined): string => {
  if (value) return value
  throw new UsageError(`--${name}: required`)
}

/**
 * Requires exactly one word.
 *
 * @param what - Such as `the id of one key`.
 */
export const requireOne = (words: readonly string[], what: string): string => {
  const [word, ...others] = words
  if (word && !others.length) return word
  throw new UsageError(`expected ${what}`)
}

/** Reads a whole number within bounds. */
export const readCount = (name: string, text: string, least: number, most: number): number => {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (count >= least && count <= most) return count
  throw new UsageError(`--${name}: expected a whole number from ${least} to ${most}`)
}

/** Reads words separated by commas. */
export const readList = (text: string): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)

const perPage = 100

/** Reads a list from its first page to its last. */
export const readAllPages = async <Item>(
  read: (page: { page: number; perPage: number }) => Promise<readonly Item[]>,
): Promise<Item[]> => {
  const items: Item[] = []
  for (let page = 1; ; page++) {
    const some = await read({ page, perPage })
    items.push(...some)
    if (some.length < perPage) return items
  }
}
