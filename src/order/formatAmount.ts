import type { Amount } from '../schema/index.js'

const defaultLocale = 'en-US'
// The most fraction digits every engine accepts; a longer amount is shown as it came rather than rounded.
const mostFractionDigits = 20

const formats = new Map<string, Intl.NumberFormat>()

const getFormat = (locale: string): Intl.NumberFormat => {
  const known = formats.get(locale)
  if (known) return known
  const format = new Intl.NumberFormat(findLocale(locale), { maximumFractionDigits: mostFractionDigits })
  formats.set(locale, format)
  return format
}

const findLocale = (locale: string): string => {
  try {
    return Intl.NumberFormat.supportedLocalesOf(locale)[0] ?? defaultLocale
  } catch {
    // A locale this version of the language does not even call a locale.
    return defaultLocale
  }
}

const isExactlyShown = (amount: string): amount is `${number}` => {
  const fraction = /^\d+(?:\.(\d+))?$/.exec(amount)
  return fraction !== null && (fraction[1]?.length ?? 0) <= mostFractionDigits
}

/**
 * Writes an amount for a buyer to read, to the last digit: `1,234.5 USDC`.
 *
 * @param locale - The order's locale; `en-US` when it is absent or unknown.
 * @returns The amount as it came when it is not a decimal.
 */
export const formatAmount = ({ amount, currency }: Amount, locale: string | undefined): string => {
  // A string and not a number: Intl formats decimal strings exactly.
  const digits = isExactlyShown(amount) ? getFormat(locale ?? defaultLocale).format(amount) : amount
  return `${digits}\u00a0${currency.toUpperCase()}`
}
