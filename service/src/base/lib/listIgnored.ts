const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Lists the fields of a caller's input that its schema dropped, by their paths. A field that is null is absent.
 *
 * @param given - The input as JSON.
 * @param parsed - What the schema made of it.
 */
export const listIgnored = (given: unknown, parsed: unknown, at = ''): string[] => {
  if (Array.isArray(parsed)) {
    // A single line item is parsed as a list of one.
    const items: readonly unknown[] = Array.isArray(given) ? given : [given]
    return items.flatMap((item, index) =>
      listIgnored(item, parsed[index], Array.isArray(given) ? `${at}[${index}]` : at),
    )
  }
  if (!isObject(given) || !isObject(parsed)) return []
  return Object.entries(given).flatMap(([name, value]) => {
    if (value === null) return []
    const path = at ? `${at}.${name}` : name
    return Object.hasOwn(parsed, name) ? listIgnored(value, parsed[name], path) : [path]
  })
}
