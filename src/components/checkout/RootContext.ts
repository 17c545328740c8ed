'use client'

import { createContext, useCallback, useContext } from 'react'
import { configError } from '../../errors/configError.js'

import type { Store } from '../../internal/store.js'
import { useSlice } from '../../internal/useSlice.js'
import type { LineItem } from '../../schema/index.js'
import type { CheckoutValue } from './value.js'

/** Hands the checkout of a `Checkout.Root` to the parts inside it. */
export const RootContext = createContext<Store<CheckoutValue> | undefined>(undefined)

/** Which line item the parts inside are about; the first, where nothing says otherwise. */
export const ItemIndexContext = createContext(0)

/**
 * The checkout a part stands in, to act on when something happens.
 *
 * @param part - The part's name, for the error.
 * @throws {@link KassaError} `config.part-outside-root`
 */
export const useCheckoutStore = (part: string): Store<CheckoutValue> => {
  const store = useContext(RootContext)
  if (!store) throw configError('config.part-outside-root', { part: `Checkout.${part}` })
  return store
}

/**
 * The slice of the checkout a part shows. The part renders again only when a field of it changed.
 *
 * @param select - A pure function declared outside the part.
 */
export const useCheckout = <Slice extends object>(
  part: string,
  select: (value: CheckoutValue) => Slice,
): Slice => useSlice(useCheckoutStore(part), select)

/**
 * The slice of one line item a part shows; the item is undefined until the order has come.
 *
 * @param select - A pure function declared outside the part. Beside its item it may read what the items have in
 * common; neither the other items nor the clock call it again.
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
