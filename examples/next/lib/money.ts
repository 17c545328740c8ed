import { fromBaseUnits, toBaseUnits } from 'kassa/schema'

// More than any currency has, so that multiplying never rounds.
const decimals = 36

const countDecimals = (amount: string): number => amount.split('.')[1]?.length ?? 0

// `18.50` stays `18.50`: a price is written the same way wherever it stands.
const padDecimals = (amount: string, count: number): string => {
  const missing = count - countDecimals(amount)
  if (missing <= 0) return amount
  return `${amount}${amount.includes('.') ? '' : '.'}${'0'.repeat(missing)}`
}

/** Multiplies a price by a whole number, exactly, and writes it with at least as many decimals. */
export const multiply = (price: string, quantity: number): string => {
  const units = toBaseUnits(price, decimals)
  if (units === undefined) return price
  return padDecimals(fromBaseUnits(units * BigInt(quantity), decimals), countDecimals(price))
}

/** Writes an amount for a buyer to read: `0.02 ETH`, and dollars as the library's parts do: `42.00 USDC`. */
export const formatMoney = (amount: string, currency: string): string =>
  `${padDecimals(amount, /^usd/i.test(currency) ? 2 : 0)}\u00a0${currency.toUpperCase()}`
