import { isSame } from '../../internal/isSame.js'
import { createStore, type Store } from '../../internal/store.js'
import type { CheckoutValue } from './value.js'

/** A part of a line item is concerned by its own item, and by what no item holds; the clock is nothing to it. */
const concern = (before: CheckoutValue, after: CheckoutValue): number[] | undefined => {
  const items = before.order?.lineItems ?? []
  const nextItems = after.order?.lineItems ?? []
  if (
    items.length !== nextItems.length ||
    !isSame(before, after, ['order', 'nowMs']) ||
    !isSame(before.order ?? {}, after.order ?? {}, ['lineItems'])
  )
    return undefined
  const places: number[] = []
  nextItems.forEach((item, index) => {
    if (item !== items[index]) places.push(index)
  })
  return places
}

/** Makes the store of one checkout, whose places are its line items. */
export const createCheckoutStore = (first: CheckoutValue): Store<CheckoutValue> => createStore(first, concern)
