'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import { formatFiat } from '../../../order/formatFiat.js'
import { useCheckout } from '../RootContext.js'
import type { CheckoutValue } from '../value.js'

export declare namespace CheckoutFiatTotal {
  /**
   * State of {@link CheckoutFiatTotal}.
   *
   * @units `amount` is a decimal string in whole units of `currency`.
   */
  export type State = { amount: string | undefined; currency: string | undefined }

  /** Props of {@link CheckoutFiatTotal}. */
  export type Props = PartProps<'span', CheckoutFiatTotal.State>
}

const select = ({ order }: CheckoutValue) => {
  const total = order?.quote.totalPrice
  // A token pegged to the dollar says its worth already.
  const fiat = /^usd/i.test(total?.currency ?? '') ? undefined : total?.fiat
  return { amount: fiat?.amount, currency: fiat?.currency, locale: order?.locale }
}

/**
 * Renders a `<span>`. Shows what the order's total was worth in US dollars when it was quoted. It is
 * information: the buyer pays the total. Absent if the service knows no rate, and for a price in a dollar
 * token.
 */
export function CheckoutFiatTotal(props: CheckoutFiatTotal.Props): ReactElement | null {
  const { locale, ...state } = useCheckout('FiatTotal', select)
  const { amount, currency } = state
  const isKnown = amount !== undefined && currency !== undefined
  const element = useRender('span', 'fiat-total', props, state, {
    children: isKnown && `≈\u00a0${formatFiat({ amount, currency }, locale)}`,
  })
  return isKnown ? element : null
}
