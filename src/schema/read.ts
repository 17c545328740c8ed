/**
 * Checks a value at a path. Returns `undefined` if valid, the fault if not, and `null` if the field should be
 * dropped. Each level extends the path.
 */
export type Check = (value: unknown, path: string) => string | null | undefined

/**
 * Parses an untrusted value. Returns the value with its unknown fields, or a fault such as `quote.status:
 * expected a string`. An optional field that is `null` is removed.
 */
export type Reader<Value> = (value: unknown) => { data: Value; fault?: undefined } | { fault: string }

const expect =
  (type: 'string' | 'number' | 'boolean'): Check =>
  (value, path) =>
    typeof value === type ? undefined : `${path}: expected a ${type}`

/** Checks a string, also of an open enumeration. */
export const text: Check = /* @__PURE__ */ expect('string')

/** Checks a number. */
export const number: Check = /* @__PURE__ */ expect('number')

/** Checks a boolean. */
export const truth: Check = /* @__PURE__ */ expect('boolean')

/** Accepts any value. */
export const anything: Check = () => undefined

/** Accepts any value except a missing one. */
export const something: Check = (value, path) =>
  value === undefined ? `${path}: expected a value` : undefined

/** Checks an optional value, for which some services write null. */
export const maybe =
  (check: Check): Check =>
  (value, path) =>
    value === undefined || value === null ? value : check(value, path)

/** Checks a value that may be null, which says something else than its absence. */
export const orNull =
  (check: Check): Check =>
  (value, path) =>
    value === null ? undefined : check(value, path)

/** The parts of an object or a list. Casts to it are deliberate: any part may be missing. */
type Parts = Record<PropertyKey, unknown>

/** Finds the first fault among the parts of a value, and removes the parts to drop. */
const findFault = (value: Parts, checks: Iterable<readonly [string | number, Check]>, path: string) => {
  for (const [key, check] of checks) {
    const fault = check(value[key], `${path}.${key}`)
    if (fault) return fault
    if (fault === null) delete value[key]
  }
  return undefined
}

/** Checks a list. */
export const list =
  (check: Check): Check =>
  (value, path) =>
    Array.isArray(value)
      ? findFault(
          value as unknown as Parts,
          value.map((_, key) => [key, check]),
          path,
        )
      : `${path}: expected a list`

/** Checks an object with at least these fields. */
export const object =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value, path) =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? findFault(value as Parts, Object.entries(fields), path)
      : `${path}: expected an object`

/** Checks an object of any fields, each with the same check. */
export const record =
  (check: Check): Check =>
  (value, path) =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? findFault(
          value as Parts,
          Object.keys(value).map((key) => [key, check]),
          path,
        )
      : `${path}: expected an object`

/** Checks for exactly one string. */
export const literal =
  (member: string): Check =>
  (value, path) =>
    value === member ? undefined : `${path}: expected ${member}`

/** Accepts any string except these. */
export const except =
  (...members: string[]): Check =>
  (value, path) =>
    typeof value === 'string' && !members.includes(value) ? undefined : `${path}: expected another`

/**
 * Accepts a value that passes one of the checks. Otherwise reports the deepest fault, because its check is
 * the likeliest one meant.
 */
export const either =
  (...checks: Check[]): Check =>
  (value, path) => {
    let deepest: string | undefined
    for (const check of checks) {
      const fault = check(value, path)
      if (!fault) return undefined
      if (deepest === undefined || fault.split('.').length > deepest.split('.').length) deepest = fault
    }
    return deepest
  }

/** Creates a reader from a check. */
export const reader =
  <Value>(check: Check): Reader<Value> =>
  (value) => {
    const fault = check(value, '')
    // The cast is deliberate: the check was generated from the schema that the type was inferred from.
    return fault ? { fault: fault.replace(/^[.: ]+/, '') } : { data: value as Value }
  }
