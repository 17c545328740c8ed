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

/** Formats an amount for a buyer: `0.02 ETH`, and dollars as the library's parts do, `42.00 USDC`. */
export const formatMoney = (amount: string, currency: string): string =>
  `${padDecimals(amount, /^usd/i.test(currency) ? 2 : 0)}\u00a0${currency.toUpperCase()}`
