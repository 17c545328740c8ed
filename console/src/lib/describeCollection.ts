import type { Collection } from 'kassa/schema'
import { t } from '../messages/index.js'
import { formatMoney } from './format.js'
import { numbers } from './numbers.js'
import { isZero } from './orderStatus.js'

const s = t.collections

/** Returns what a collection is called. */
export const nameCollection = ({ metadata, id }: Collection): string => metadata.name ?? id

/** Returns the price of a token of a collection, in words. */
export const describePrice = ({ payments }: Collection): string => {
  if (!payments) return s.notForSale
  if (isZero(payments.price)) return s.free
  return formatMoney({ amount: payments.price, currency: payments.currency ?? '' })
}

/** Returns how many of its tokens there are, in words. */
export const describeSupply = ({ supply, supplyLimit }: Collection): string =>
  s.supplyOf(
    numbers.format(`${supply?.minted ?? 0}`),
    supplyLimit === undefined ? undefined : numbers.format(`${supplyLimit}`),
  )
