import { toBaseUnits } from '../schema/baseUnits.js'
import type { Order } from '../schema/index.js'

// No decimal of the interface has more fraction digits.
const maxDecimals = 60

/** Whether an order has a price, and it is zero: it is claimed, and never paid. */
export const isFreeOrder = ({ quote }: Order): boolean =>
  quote.totalPrice !== undefined && toBaseUnits(quote.totalPrice.amount, maxDecimals) === 0n
