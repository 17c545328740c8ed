/**
 * What is wrong with a value at a path, which every level adds to. Nothing is, when it is undefined; nor when it is
 * null, and then the value is one to leave out.
 */
export type Check = (value: unknown, path: string) => string | null | undefined

/**
 * Reads what came from outside: the value itself, unknown fields and all, or what is wrong with it, such as
 * `quote.status: expected a string`. Where a field that may be absent is `null`, it is taken out.
 */
export type Reader<Value> = (value: unknown) => { data: Value; fault?: undefined } | { fault: string }

const expect =
  (type: 'string' | 'number' | 'boolean'): Check =>
  (value, path) =>
    typeof value === type ? undefined : `${path}: expected a ${type}`

/** A string, of an open enumeration too. */
export const text: Check = /* @__PURE__ */ expect('string')

/** A number. */
export const number: Check = /* @__PURE__ */ expect('number')

/** True or false. */
export const truth: Check = /* @__PURE__ */ expect('boolean')

/** Anything at all. */
export const anything: Check = () => undefined

/** Anything that is there. */
export const something: Check = (value, path) =>
  value === undefined ? `${path}: expected a value` : undefined

/** What may be absent, for which some services write null. */
export const maybe =
  (check: Check): Check =>
  (value, path) =>
    value === undefined || value === null ? value : check(value, path)

/** The first fault among the parts of a value, of which those to leave out are taken out. */
const findFault = (value: object, checks: Iterable<readonly [string | number, Check]>, path: string) => {
  for (const [key, check] of checks) {
    const fault = check(Reflect.get(value, key), `${path}.${key}`)
    if (fault) return fault
    if (fault === null) Reflect.deleteProperty(value, key)
  }
  return undefined
}

/** A list. */
export const list =
  (check: Check): Check =>
  (value, path) =>
    Array.isArray(value)
      ? findFault(
          value,
          value.map((_, key) => [key, check]),
          path,
        )
      : `${path}: expected a list`

/** An object with at least these fields. */
export const object =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value, path) =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? findFault(value, Object.entries(fields), path)
      : `${path}: expected an object`

/** An object of any fields, each of which is as the check has it. */
export const record =
  (check: Check): Check =>
  (value, path) =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? findFault(
          value,
          Object.keys(value).map((key) => [key, check]),
          path,
        )
      : `${path}: expected an object`

/** One string and no other. */
export const literal =
  (member: string): Check =>
  (value, path) =>
    value === member ? undefined : `${path}: expected ${member}`

/** Any string but these. */
export const except =
  (...members: string[]): Check =>
  (value, path) =>
    typeof value === 'string' && !members.includes(value) ? undefined : `${path}: expected another`

/** What is as one of the checks has it. What is as none has the fault that lies deepest in it, the likeliest meant. */
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

/** Makes a reader out of a check. */
export const reader =
  <Value>(check: Check): Reader<Value> =>
  (value) => {
    const fault = check(value, '')
    // A cast on purpose: the check was made from the schema that the type was inferred from.
    return fault ? { fault: fault.replace(/^[.: ]+/, '') } : { data: value as Value }
  }
