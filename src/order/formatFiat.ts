import type { Amount } from '../schema/index.js'
import { formatAmount } from './formatAmount.js'
import { shareFormat } from './shareFormat.js'

const formats = new Map<string, ReturnType<typeof shareFormat<Intl.NumberFormat>>>()

const getFormat = (currency: string) => {
  const format =
    formats.get(currency) ??
    shareFormat(
      (locale) =>
        // An engine that does not know `trailingZeroDisplay` shows the cents.
        new Intl.NumberFormat(locale, { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' }),
    )
  formats.set(currency, format)
  return format
}

const isDecimal = (amount: string): amount is `${number}` => /^\d+(\.\d+)?$/.test(amount)

/**
 * Formats an amount of a national currency, rounded to its smallest coin: `$36`, `$18.50`.
 *
 * @param locale - The order's locale; `en-US` when it is absent or unknown.
 */
export const formatFiat = ({ amount, currency }: Amount, locale: string | undefined): string =>
  // `Intl` refuses what is not a code of three letters.
  isDecimal(amount) && /^[a-z]{3}$/i.test(currency)
    ? getFormat(currency.toUpperCase())(locale).format(amount)
    : formatAmount({ amount, currency }, locale)
