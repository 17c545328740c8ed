/** The first and the last byte that are asked for. */
export type ByteRange = { start: number; end: number }

/**
 * Reads a `Range` header for a content of so many bytes.
 *
 * @returns `undefined` where all of it is to be sent: without the header, and, as RFC 9110 allows, for several
 * ranges at once or a header that makes no sense.
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
