/** What is wrong with a value at a path, which every level adds to; undefined when nothing is. */
export type Check = (value: unknown, path: string) => string | undefined

/** Reads what came from outside: the value itself, unknown fields and all, or what is wrong with it, such as `quote.status: expected a string`. */
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

/** What may be absent. */
export const maybe =
  (check: Check): Check =>
  (value, path) =>
    value === undefined ? undefined : check(value, path)

/** The first fault among the parts of a value. */
const findFault = (keys: Iterable<string | number>, check: (key: string | number) => string | undefined) => {
  for (const key of keys) {
    const fault = check(key)
    if (fault) return fault
  }
  return undefined
}

/** A list. */
export const list =
  (check: Check): Check =>
  (value, path) =>
    Array.isArray(value)
      ? findFault(value.keys(), (key) => check(value[Number(key)], `${path}.${key}`))
      : `${path}: expected a list`

/** An object with at least these fields. */
export const object =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value, path) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? findFault(Object.keys(fields), (key) => fields[key]?.(Reflect.get(value, key), `${path}.${key}`))
      : `${path}: expected an object`

/** An object of any fields, each of which is as the check has it. */
export const record =
  (check: Check): Check =>
  (value, path) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? findFault(Object.keys(value), (key) => check(Reflect.get(value, key), `${path}.${key}`))
      : `${path}: expected an object`

/** One string and no other. */
export const literal =
  (member: string): Check =>
  (value, path) =>
    value === member ? undefined : `${path}: expected ${member}`

/** What is as one of the checks has it. What is as none has the fault that lies deepest in it, the likeliest meant. */
export const either =
  (...checks: Check[]): Check =>
  (value, path) => {
    let deepest: string | undefined
    for (const check of checks) {
      const fault = check(value, path)
      if (fault === undefined) return undefined
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
    return fault === undefined ? { data: value as Value } : { fault: fault.replace(/^[.:] ?/, '') }
  }
