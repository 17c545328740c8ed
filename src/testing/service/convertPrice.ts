import { fromBaseUnits, toBaseUnits } from '../../schema/baseUnits.js'

/** What one whole unit is worth in US dollars, as in the service's sandbox. */
export const testRates: Readonly<Record<string, string>> = {
  usd: '1',
  avax: '30',
  bnb: '600',
  chz: '0.07',
  eth: '3000',
  pol: '0.5',
  sfuel: '0.000001',
  usdc: '1',
  usdxm: '1',
  xai: '0.1',
}

// More digits than any currency or rate has.
const digits = 30
const scaled = (decimal: string): bigint => toBaseUnits(decimal, digits) ?? 0n

/** A price times a quantity, as the shortest exact decimal. */
export const multiply = (price: string, quantity: number): string =>
  fromBaseUnits(scaled(price) * BigInt(quantity), digits)

/** Whether two decimals are the same number, however they are written. */
export const isSameDecimal = (one: string, other: string): boolean => scaled(one) === scaled(other)

/**
 * Converts an amount from one currency to another by way of US dollars, rounded up to the base unit.
 *
 * @returns Base units of `to`; undefined where a rate is missing.
 */
export const convertPrice = (
  amount: string,
  from: string,
  to: { currency: string; decimals: number },
): bigint | undefined => {
  const [source, target] = from === to.currency ? ['1', '1'] : [testRates[from], testRates[to.currency]]
  if (source === undefined || target === undefined) return undefined
  const dividend = scaled(amount) * scaled(source) * 10n ** BigInt(to.decimals)
  const divisor = scaled(target) * 10n ** BigInt(digits)
  return (dividend + divisor - 1n) / divisor
}
