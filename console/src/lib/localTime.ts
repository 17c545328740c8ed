/** Writes a time as a field for times has it, where the reader is. */
export const toLocal = (iso: string | undefined): string => {
  if (!iso) return ''
  const time = new Date(iso)
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Reads a field for times. A text that is no time stays as it is, so that the service says so. */
export const fromLocal = (text: string): string =>
  Number.isNaN(Date.parse(text)) ? text : new Date(text).toISOString()
