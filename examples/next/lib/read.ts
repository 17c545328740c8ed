/** Whether a value is an object whose fields can be read. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value if it is text, else undefined. */
export const readText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** The texts of a list, else undefined. */
export const readTexts = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? value.flatMap((item) => readText(item) ?? []) : undefined

/** The value if it is a number, else undefined. */
export const readNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

/** The value if it is an amount of a currency, else undefined. */
export const readAmount = (value: unknown): { amount: string; currency: string } | undefined => {
  if (!isRecord(value)) return undefined
  const [amount, currency] = [readText(value.amount), readText(value.currency)]
  return amount && currency ? { amount, currency } : undefined
}
