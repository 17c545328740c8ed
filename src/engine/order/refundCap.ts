import { toFiat } from '../../schema/price.js'
import type { OrderState } from './order.js'

/** The worth from which a price belongs to each class, from the cheapest class to the dearest. @units US cents */
export const priceClasses: readonly number[] = [0, 10_000, 1_000_000]

/**
 * Returns what the price of an order is worth, in US cents. Without an exchange rate, one whole unit of its
 * currency counts as a dollar.
 */
export const priceWorthOf = ({
  quote: { totalUnits, usdRate = '1' },
  payment: { decimals },
}: Pick<OrderState, 'quote' | 'payment'>): number => {
  if (totalUnits === undefined) return 0
  const cents = toFiat(BigInt(totalUnits), decimals, usdRate).amount.replace('.', '')
  return Math.min(Number(cents), Number.MAX_SAFE_INTEGER)
}

/** Returns the class of a price, as an index of {@link priceClasses}. @units `priceWorth` is in US cents */
export const priceClassOf = (priceWorth: number): number =>
  priceClasses.findLastIndex((from) => priceWorth >= from)

/**
 * Returns how many more refunds of orders of one class of prices may be sent this hour. Half of the cap is kept for the
 * classes, the same number for each, so that strangers who pay late for cheap goods, or for dear ones, take at most two
 * thirds of it and delay no buyer of another class.
 *
 * @param released - How many were sent this hour, for each class.
 * @param own - The class, as an index of {@link priceClasses}.
 */
export const roomUnderCap = (cap: number, released: readonly number[], own: number): number => {
  const kept = Math.floor(cap / (2 * priceClasses.length))
  const taken = priceClasses.map((_, at) => {
    const sent = released[at] ?? 0
    return at === own ? sent : Math.max(sent, kept)
  })
  return cap - taken.reduce((sum, count) => sum + count, 0)
}
