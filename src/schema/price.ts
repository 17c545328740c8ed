import type * as z from 'zod/mini'
import { Amount } from './amount.js'
import { toBaseUnits } from './baseUnits.js'
import { maybe } from './maybe.js'
import { openObject } from './open.js'

/**
 * An amount that an order charges, and its worth in US dollars when it was quoted. The dollars are
 * information: the buyer pays `amount` of `currency`.
 *
 * @source answers.md "Revised: Orders"
 */
export const Price = openObject({
  ...Amount.shape,
  fiat: maybe(Amount),
})
export type Price = z.infer<typeof Price>

/** The most significant digits that a price has in a currency of more decimals than that. */
const maxDigits = 6

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

const countDigits = (units: bigint): number => `${units}`.replace(/(?<!0)0+$/, '').length

const isShort = (items: readonly (readonly bigint[])[]): boolean =>
  [...items.flat(), ...items.map(sum), sum(items.flat())].every((units) => countDigits(units) <= maxDigits)

/** A charge before it is rounded. */
export type ExactCharge = {
  /** @units base units */
  units: bigint
  /** Whether the merchant set it in this currency. It is then charged as it is. */
  isGiven?: boolean
}

/**
 * Rounds the charges of an order up to one step, so that each charge, the sum of each line item and the total have at
 * most six significant digits. The step is at most a hundred-thousandth of the total. Charges that the merchant set in
 * the currency, and currencies with up to six decimals, such as USDC, stay exact.
 *
 * @param items - The charges of each line item.
 * @param decimals - The decimals of the currency that they are in.
 * @returns The charges of each line item, in base units.
 * @units `roundUpCharges([[{ units: 1234567890123456789n }]], 18)` is `[[1234570000000000000n]]`.
 */
export const roundUpCharges = (items: readonly (readonly ExactCharge[])[], decimals: number): bigint[][] => {
  const roundTo = (step: bigint, canKeep: boolean): bigint[][] =>
    items.map((charges) =>
      charges.map(({ units, isGiven }) => (canKeep && isGiven ? units : ((units + step - 1n) / step) * step)),
    )
  let step = 1n
  // A given price may be of any length, so the step is that of the rounded price.
  while (decimals > maxDigits && !isShort(roundTo(step, false))) step *= 10n
  return roundTo(step, true)
}

/** The most decimals that a rate has. */
const rateDecimals = 20

/**
 * Converts base units of a currency to US dollars, rounded to the cent.
 *
 * @param rate - What one whole unit is worth in US dollars, as a decimal string.
 */
export const toFiat = (units: bigint, decimals: number, rate: string): Amount => {
  const perCent = 10n ** BigInt(decimals + rateDecimals - 2)
  const cents = (units * (toBaseUnits(rate, rateDecimals) ?? 0n) + perCent / 2n) / perCent
  const digits = `${cents}`.padStart(3, '0')
  return { amount: `${digits.slice(0, -2)}.${digits.slice(-2)}`, currency: 'usd' }
}
