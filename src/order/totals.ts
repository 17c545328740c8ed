import { fromBaseUnits, toBaseUnits } from '../schema/baseUnits.js'
import type { Amount, LineItem, Order } from '../schema/index.js'

/**
 * Returns the order's total.
 *
 * @returns The quoted total; undefined while there is no price.
 * @units A decimal string in whole units of its currency.
 */
export const getTotal = (order: Order): Amount | undefined => order.quote.totalPrice

/** The charges of a price: the goods, the tax on them, shipping, and what a promotion code takes off. */
export type ChargeName = 'unit' | 'salesTax' | 'shipping' | 'discount'

/** Returns one charge of a line item; undefined if it has no such charge or cannot be bought. */
export const getItemCharge = ({ quote }: LineItem, name: ChargeName): Amount | undefined =>
  quote.status === 'item-unavailable' ? undefined : quote.charges?.[name]

// No decimal of the interface has more fraction digits.
const maxDecimals = 60

/**
 * Returns one charge of a whole order, summed exactly.
 *
 * @returns The sum over the items that have this charge; undefined when none has, and when they cannot be
 * summed:
 * in two currencies, or not decimals.
 * @units A decimal string in whole units of its currency.
 */
export const getCharge = ({ lineItems }: Order, name: ChargeName): Amount | undefined => {
  const charges = lineItems.flatMap((item) => getItemCharge(item, name) ?? [])
  const currency = charges[0]?.currency
  let sum = 0n
  for (const charge of charges) {
    const units = charge.currency === currency ? toBaseUnits(charge.amount, maxDecimals) : undefined
    if (units === undefined) return undefined
    sum += units
  }
  return currency === undefined ? undefined : { amount: fromBaseUnits(sum, maxDecimals), currency }
}
