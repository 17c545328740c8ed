'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../internal/render.js'
import { formatAmount } from '../../order/index.js'
import type { LineItem } from '../../schema/index.js'
import { useCheckoutItem } from './RootContext.js'
import type { CheckoutValue } from './value.js'

/**
 * State of {@link CheckoutItemPrice}; empty while there is no price.
 *
 * @units `amount` is an exact decimal string in whole units of `currency`.
 */
export type CheckoutItemPriceState = { amount: string | undefined; currency: string | undefined }

/** Props of {@link CheckoutItemPrice}. */
export type CheckoutItemPriceProps = PartProps<'span', CheckoutItemPriceState>

const select = (item: LineItem | undefined, { order }: CheckoutValue) => ({
  amount: item?.quote.totalPrice?.amount,
  currency: item?.quote.totalPrice?.currency,
  locale: order?.locale,
})

/** Renders a `<span>`. What a line item costs, all of its quantity together. */
export function CheckoutItemPrice(props: CheckoutItemPriceProps): ReactElement {
  const { amount, currency, locale } = useCheckoutItem('ItemPrice', select)
  return useRender(
    'span',
    props,
    { amount, currency },
    {
      children: amount !== undefined && currency !== undefined && formatAmount({ amount, currency }, locale),
    },
  )
}
