/** The first and the last byte of a requested range. */
export type ByteRange = { start: number; end: number }

/**
 * Reads a `Range` header for content of a given size.
 *
 * @returns `undefined` if all of it is to be sent: without the header, and, as RFC 9110 allows, for several
 * ranges at once or an invalid header.
 */
export const byteRange = (
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | undefined => {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(header ?? '') ?? []
  if (!first && !last) return undefined
  if (first && last && Number(last) < Number(first)) return undefined
  const start = first ? Number(first) : Math.max(0, size - Number(last))
  const end = first && last ? Math.min(Number(last), size - 1) : size - 1
  return start <= end ? { start, end } : 'unsatisfiable'
}
