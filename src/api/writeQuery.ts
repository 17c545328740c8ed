/**
 * Writes the query of a call.
 *
 * @returns The query with its question mark; empty if no value is given.
 */
export const writeQuery = (
  values: Readonly<Record<string, string | number | readonly string[] | undefined>>,
): string => {
  const parts = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${[value].flat().map(encodeURIComponent).join(',')}`,
  )
  return parts.length ? `?${parts.join('&')}` : ''
}
