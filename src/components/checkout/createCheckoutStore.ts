import { isSame } from '../../internal/isSame.js'
import { createStore, type Store } from '../../internal/store.js'
import type { CheckoutValue } from './value.js'

/**
 * Returns the line items that changed, or undefined if anything outside them did. A line item's parts ignore
 * the clock.
 */
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

/** Creates the store of one checkout, which notifies by line item. */
export const createCheckoutStore = (first: CheckoutValue): Store<CheckoutValue> => createStore(first, concern)
