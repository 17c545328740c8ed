'use client'

import { createContext, useCallback, useContext } from 'react'
import { partError } from '../../errors/partError.js'

import type { Store } from '../../internal/store.js'
import { useSlice } from '../../internal/useSlice.js'
import type { OrderParameters } from '../../query/order.js'
import type { LineItem } from '../../schema/index.js'
import type { CheckoutValue } from './value.js'

/** Provides the checkout of a `Checkout.Root` to the parts inside it. */
export const RootContext = createContext<Store<CheckoutValue> | undefined>(undefined)

/** How to read the order of a `Checkout.Root`; undefined for a checkout that the caller owns. */
export const AccessContext = createContext<OrderParameters | undefined>(undefined)

/** The index of the line item that the parts inside show. By default the first. */
export const ItemIndexContext = createContext(0)

/**
 * Returns the checkout a part is in, for use in event handlers.
 *
 * @param part - The part's name, for the error.
 * @throws {@link KassaError} `config.part-outside-root`
 */
export const useCheckoutStore = (part: string): Store<CheckoutValue> => {
  const store = useContext(RootContext)
  if (!store) throw partError('config.part-outside-root', { part: `Checkout.${part}` })
  return store
}

/**
 * Returns the slice of the checkout that a part shows. The part re-renders only when a field of it changes.
 *
 * @param select - A pure function declared outside the part.
 */
export const useCheckout = <Slice extends object>(
  part: string,
  select: (value: CheckoutValue) => Slice,
): Slice => useSlice(useCheckoutStore(part), select)

/**
 * Returns the slice of one line item that a part shows. The item is undefined until the order has loaded.
 *
 * @param select - A pure function declared outside the part. Besides its item it may read what the items have
 * in common; changes of other items and of the clock do not call it again.
 */
export const useCheckoutItem = <Slice extends object>(
  part: string,
  select: (item: LineItem | undefined, value: Omit<CheckoutValue, 'nowMs'>) => Slice,
  index?: number,
): Slice => {
  const inherited = useContext(ItemIndexContext)
  const at = index ?? inherited
  const selectAt = useCallback(
    (value: CheckoutValue) => select(value.order?.lineItems[at], value),
    [select, at],
  )
  return useSlice(useCheckoutStore(part), selectAt, at)
}
