import type { Amount } from '../schema/index.js'
import { shareFormat } from './shareFormat.js'

// The most fraction digits every engine accepts. A longer amount is shown unformatted instead of rounded.
const maxFractionDigits = 20

const shareNumbers = (minimumFractionDigits: number) =>
  shareFormat(
    (locale) =>
      new Intl.NumberFormat(locale, { minimumFractionDigits, maximumFractionDigits: maxFractionDigits }),
  )
const getNumbers = shareNumbers(0)
// For tokens pegged to the dollar: `1.50`, as prices are written.
const getPrices = shareNumbers(2)

const isExactlyShown = (amount: string): amount is `${number}` => {
  const fraction = /^\d+(?:\.(\d+))?$/.exec(amount)
  return fraction !== null && (fraction[1]?.length ?? 0) <= maxFractionDigits
}

/**
 * Formats an amount for a buyer, with all digits: `1,234.50 USDC`.
 *
 * @param locale - The order's locale; `en-US` when it is absent or unknown.
 * @returns The amount unchanged if it is not a decimal.
 */
export const formatAmount = ({ amount, currency }: Amount, locale: string | undefined): string => {
  const getFormat = /^usd/i.test(currency) ? getPrices : getNumbers
  // A string and not a number, because Intl formats decimal strings exactly.
  const digits = isExactlyShown(amount) ? getFormat(locale).format(amount) : amount
  return `${digits}\u00a0${currency.toUpperCase()}`
}
