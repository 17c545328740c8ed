const sortKeys = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** Writes a value as JSON with sorted keys, so that equal values give equal texts. */
export const canonicalJson = (value: unknown): string => JSON.stringify(value, sortKeys)
