import type { Amount, Order } from 'kassa'
import { readAmount } from './read'

/** Returns the shop's list price when the order was created, in the price list's currency. */
export const readListPrice = ({ metadata }: Order): Amount | undefined => readAmount(metadata?.listPrice)
