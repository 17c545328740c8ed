import type { Amount, Order } from '../schema/index.js'

/**
 * What the whole order costs.
 *
 * @returns The quoted total; undefined while there is no price.
 * @units A decimal string in whole units of its currency.
 */
export const getTotal = (order: Order): Amount | undefined => order.quote.totalPrice
