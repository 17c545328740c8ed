import type { Order } from 'kassa'
import { isRecord, readText } from './read'

/** Returns the shop's list price when the order was created, in the price list's currency. */
export const readListPrice = ({ metadata }: Order): { amount: string; currency: string } | undefined => {
  const price = metadata?.listPrice
  if (!isRecord(price)) return undefined
  const [amount, currency] = [readText(price.amount), readText(price.currency)]
  return amount && currency ? { amount, currency } : undefined
}
