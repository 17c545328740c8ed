/** A value as it is compared: a date by its time, and a missing one as null. */
export const comparable = (value: unknown): unknown => {
  if (value instanceof Date) return value.getTime()
  return value ?? null
}

/** Compares two values, or two rows from their first members on: below zero if the first one is smaller. */
export const compare = (one: Defined, other: Defined): number => {
  if (Array.isArray(one) && Array.isArray(other)) {
    for (const [at, member] of one.entries()) {
      const rank = compare(comparable(member) as Defined, comparable(other[at]) as Defined)
      if (rank !== 0) return rank
    }
    return 0
  }
  // A count is a number in one row and a bigint in another.
  // biome-ignore lint/suspicious/noDoubleEquals: 1 and 1n are one number of the database
  if (one == other) return 0
  return one < other ? -1 : 1
}

/** The comparisons of SQL, by their signs: whether a result of {@link compare} meets them. */
export const signs: readonly [string, (rank: number) => boolean][] = [
  ['=', (rank) => rank === 0],
  ['<>', (rank) => rank !== 0],
  ['<', (rank) => rank < 0],
  ['>', (rank) => rank > 0],
  ['<=', (rank) => rank <= 0],
  ['>=', (rank) => rank >= 0],
]

/** A value that is not null. */
export type Defined = string | number | bigint | boolean | readonly unknown[]

/** Whether a value is null in SQL. */
export const isUnknown = (value: unknown): boolean => comparable(value) === null

/** Whether a text begins with what stands before the `%` of a pattern, the one kind of pattern that the service uses. */
export const isLike = (value: unknown, pattern: string): boolean => {
  const [start = '', ...rest] = pattern.split('%')
  if (rest.join('%') !== '' || /[_\\]/.test(pattern) || !pattern.endsWith('%'))
    throw new Error(`The database of the simulation cannot read the pattern ${pattern}`)
  return typeof value === 'string' && value.startsWith(start)
}

const largest = (values: unknown[]): unknown =>
  values.reduce((one, other) =>
    (comparable(one) as Defined) >= (comparable(other) as Defined) ? one : other,
  )

const smallest = (values: unknown[]): unknown =>
  values.reduce((one, other) =>
    (comparable(one) as Defined) <= (comparable(other) as Defined) ? one : other,
  )

type Json = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

/** Reads the members of a list whose field is another text, which is the one form of path that the service uses. */
const queryPath = (document: Json, path: string): unknown[] => {
  const [, list = '', field = '', text] = /^\$\.(\w+)\[\*\] \? \(@\.(\w+) <> "(\w+)"\)$/.exec(path) ?? []
  if (text === undefined) throw new Error(`The database of the simulation cannot read the path ${path}`)
  return (document[list] ?? []).filter((member) => member[field] !== text)
}

/** The functions of SQL that the service calls. */
export const functions: Readonly<Record<string, (values: unknown[]) => unknown>> = {
  coalesce: (values) => values.find((value) => !isUnknown(value)) ?? null,
  greatest: (values) => largest(values.filter((value) => !isUnknown(value))),
  least: (values) => smallest(values.filter((value) => !isUnknown(value))),
  concat: (values) => values.map((value) => (isUnknown(value) ? '' : String(value))).join(''),
  jsonb_array_length: ([value]) => (value as unknown[]).length,
  jsonb_path_query_array: ([document, path]) => queryPath(document as Json, String(path)),
}

/** The types that the service casts values to. */
export const casts: Readonly<Record<string, (value: unknown) => unknown>> = {
  bigint: (value) => (typeof value === 'string' ? BigInt(value) : value),
  numeric: (value) => (typeof value === 'string' ? BigInt(value) : value),
  timestamptz: (value) => (typeof value === 'string' ? new Date(value) : value),
  int: (value) => value,
  uuid: (value) => value,
}
