'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import { fromBaseUnits } from '../../../schema/baseUnits.js'
import { showAmount } from '../price/showAmount.js'
import { useCheckout } from '../RootContext.js'
import type { CheckoutValue } from '../value.js'
import type { Held } from './held.js'
import { isUnpaid } from './isUnpaid.js'
import { WalletBalance } from './WalletBalance.js'

export declare namespace CheckoutBalance {
  /**
   * State of {@link CheckoutBalance}.
   *
   * @units `amount` is an exact decimal string in whole units of `currency`.
   */
  export type State = { amount: string | undefined; currency: string }

  /** Props of {@link CheckoutBalance}. */
  export type Props = PartProps<'span', CheckoutBalance.State>
}

const select = (value: CheckoutValue) => ({
  // A wallet that has just been connected may be funded before it becomes the payer, as a sandbox's is.
  payment: isUnpaid(value) && value.order?.payment.preparation ? value.order.payment : undefined,
  locale: value.order?.locale,
})

/**
 * Renders a `<span>`. Shows how much of the currency the order is paid in the connected wallet holds on the
 * chain. Absent until the order names its payer and the chain has answered, without a wallet, and once the
 * order was paid.
 */
export function CheckoutBalance(props: CheckoutBalance.Props): ReactElement | null {
  const { payment, locale } = useCheckout('Balance', select)
  // Separate components, so that only an order that can be paid needs a wallet.
  if (!payment) return null
  return (
    <WalletBalance payment={payment}>
      {(held) => <HeldAmount held={held} locale={locale} {...props} />}
    </WalletBalance>
  )
}

type HeldAmountProps = CheckoutBalance.Props & { held: Held; locale: string | undefined }

function HeldAmount({ held: { units, decimals, currency }, locale, ...props }: HeldAmountProps) {
  const amount = units === undefined ? undefined : fromBaseUnits(units, decimals)
  const shown = amount === undefined ? {} : showAmount({ amount, currency }, locale, false)
  const element = useRender('span', 'balance', props, { amount, currency }, shown)
  return amount === undefined ? null : element
}
