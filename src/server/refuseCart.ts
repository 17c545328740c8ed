import type { KassaError } from '../errors/KassaError.js'
import { serverError } from '../errors/serverError.js'

/**
 * Creates the error with which a shop's function refuses a cart or an edit. The buyer sees its message.
 *
 * @param message - A sentence for the buyer, such as `This edition is sold out.`
 * @returns The error to throw in `createOrder` or `editOrder` of {@link createCheckoutHandler}, which answers
 * 400 with the message.
 * @example
 * ```ts
 * import { refuseCart } from 'kassa/server'
 *
 * export const readEdition = (cart: unknown): string => {
 *   if (cart === 'poster' || cart === 'ticket') return cart
 *   throw refuseCart('This is not on sale.')
 * }
 * ```
 */
export const refuseCart = (message: string): KassaError<'cart.refused'> =>
  serverError('cart.refused', { message })
