import { getAmountDue } from '../order/payment.js'
import { toBaseUnits } from '../schema/baseUnits.js'
import type { Amount, Order } from '../schema/index.js'
import { toLine } from './line.js'
import { invalid } from './refusals.js'

// No decimal of the interface has more fraction digits.
const maxDecimals = 60

const isWithin = (part: Amount, whole: Amount): boolean => {
  const [units, limit] = [part, whole].map(({ amount }) => toBaseUnits(amount, maxDecimals))
  return units !== undefined && limit !== undefined && units <= limit
}

/**
 * Returns what is left to pay of an order's price, in the currency that is paid.
 *
 * @throws {@link KassaError} `pay.preparation-invalid`.
 */
export const readAmountDue = (order: Order): Amount => {
  const { totalPrice } = order.quote
  const due = getAmountDue(order)
  if (!due || !totalPrice) throw invalid('the order has no price')
  const currency = totalPrice.currency.toLowerCase()
  for (const other of [order.payment.currency ?? currency, due.currency]) {
    if (other.toLowerCase() !== currency) {
      throw invalid(`the price is in ${toLine(totalPrice.currency, 20)}, the payment in ${toLine(other, 20)}`)
    }
  }
  if (due !== totalPrice && !isWithin(due, totalPrice)) throw invalid('it asks for more than the price')
  return { amount: due.amount, currency }
}
