/** Converts a value to JSON: bigints, as contracts take them, become decimal strings. */
export const toPlainJson = <Value>(value: Value): Value =>
  JSON.parse(
    JSON.stringify(value, (_, field: unknown) => (typeof field === 'bigint' ? String(field) : field)),
  )
