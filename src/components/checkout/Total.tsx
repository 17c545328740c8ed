'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../internal/render.js'
import { formatAmount, getTotal } from '../../order/index.js'
import { useCheckout } from './RootContext.js'
import { type CheckoutValue, getCheckoutStage } from './value.js'

/**
 * State of {@link CheckoutTotal}; empty while there is no price.
 *
 * @units `amount` is an exact decimal string in whole units of `currency`.
 */
export type CheckoutTotalState = {
  amount: string | undefined
  currency: string | undefined
  /** Whether this price has run out. */
  isExpired: boolean
}

/** Props of {@link CheckoutTotal}. */
export type CheckoutTotalProps = PartProps<'span', CheckoutTotalState>

const select = (value: CheckoutValue) => ({
  ...(value.order && getTotal(value.order)),
  locale: value.order?.locale,
  isExpired: getCheckoutStage(value) === 'expired',
})

/** Renders a `<span>`. What the whole order costs, to the last digit. */
export function CheckoutTotal(props: CheckoutTotalProps): ReactElement {
  const { amount, currency, locale, isExpired } = useCheckout('Total', select)
  return useRender(
    'span',
    props,
    { amount, currency, isExpired },
    {
      children: amount !== undefined && currency !== undefined && formatAmount({ amount, currency }, locale),
    },
  )
}
