import { fromBaseUnits, toBaseUnits } from 'kassa/schema'

// More decimals than any currency has, so that multiplying never rounds.
const decimals = 36

const countDecimals = (amount: string): number => amount.split('.')[1]?.length ?? 0

// Keeps `18.50` as `18.50`, so that a price looks the same everywhere.
const padDecimals = (amount: string, count: number): string => {
  const missing = count - countDecimals(amount)
  if (missing <= 0) return amount
  return `${amount}${amount.includes('.') ? '' : '.'}${'0'.repeat(missing)}`
}

/** Multiplies a price by a whole number exactly, with at least as many decimals as the price. */
export const multiply = (price: string, quantity: number): string => {
  const units = toBaseUnits(price, decimals)
  if (units === undefined) return price
  return padDecimals(fromBaseUnits(units * BigInt(quantity), decimals), countDecimals(price))
}

/** Returns how much an amount falls short of another exactly; undefined if it does not. */
export const subtract = (wanted: string, held: string): string | undefined => {
  const missing = (toBaseUnits(wanted, decimals) ?? 0n) - (toBaseUnits(held, decimals) ?? 0n)
  return missing > 0n ? fromBaseUnits(missing, decimals) : undefined
}

/** The most fraction digits that every engine accepts. */
const maxFractionDigits = 20

/** Formats an amount for a buyer: `0.02 ETH`, and dollars as the library's parts do, `42.00 USDC`. */
export const formatMoney = (amount: string, currency: string, locale: string): string => {
  const minimumFractionDigits = Math.max(countDecimals(amount), /^usd/i.test(currency) ? 2 : 0)
  const digits =
    minimumFractionDigits > maxFractionDigits
      ? amount
      : // A string and not a number, because Intl formats decimal strings exactly.
        new Intl.NumberFormat(locale, {
          minimumFractionDigits,
          maximumFractionDigits: maxFractionDigits,
        }).format(amount as `${number}`)
  return `${digits}\u00a0${currency.toUpperCase()}`
}

/** Formats an amount in dollars, as the library's parts do: `$36`, `$18.50`. */
export const formatFiat = (amount: string, currency: string, locale: string): string =>
  new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
    // A string and not a number, because Intl formats decimal strings exactly.
  }).format(amount as `${number}`)
