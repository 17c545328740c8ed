import { fromBaseUnits, toBaseUnits } from 'kassa/schema'

// More than any currency has, so that multiplying never rounds.
const decimals = 36

/** Multiplies a decimal string by a whole number, exactly. */
export const multiply = (amount: string, quantity: number): string => {
  const units = toBaseUnits(amount, decimals)
  return units === undefined ? amount : fromBaseUnits(units * BigInt(quantity), decimals)
}

/** Writes an amount for a buyer to read: `0.02 ETH`. */
export const formatMoney = (amount: string, currency: string): string =>
  `${amount}\u00a0${currency.toUpperCase()}`
