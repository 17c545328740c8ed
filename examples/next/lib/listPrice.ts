import type { Order } from 'kassa'
import { isRecord, readText } from './read'

/** What the shop asked for an order when it was made, in the currency of its price list. */
export const readListPrice = ({ metadata }: Order): { amount: string; currency: string } | undefined => {
  const price = metadata?.listPrice
  if (!isRecord(price)) return undefined
  const [amount, currency] = [readText(price.amount), readText(price.currency)]
  return amount && currency ? { amount, currency } : undefined
}
