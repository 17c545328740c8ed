import type { Amount, Order } from 'kassa'
import { readAmount } from './read'

/** Returns the shop's list price when the order was created, in the price list's currency. */
export const readListPrice = ({ metadata }: Order): Amount | undefined => readAmount(metadata?.listPrice)

/** Returns what that list price was worth in dollars; undefined without an exchange rate. */
export const readListFiat = ({ metadata }: Order): Amount | undefined => readAmount(metadata?.listFiat)
