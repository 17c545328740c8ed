/** Writes a time as a field for times has it, where the reader is: its seconds only if it has some. */
export const toLocal = (iso: string | undefined): string => {
  if (!iso) return ''
  const time = new Date(iso)
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString()
  return local.slice(0, 23).replace(/(:00)?\.000$/, '')
}

/**
 * Reads a field for times.
 *
 * @returns A time in ISO 8601; `undefined` if the text is no time, or one that the clocks of the reader's zone skip.
 */
export const fromLocal = (text: string): string | undefined => {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?$/.test(text)) return undefined
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) return undefined
  const iso = time.toISOString()
  return toLocal(iso).slice(0, 16) === text.slice(0, 16) ? iso : undefined
}
