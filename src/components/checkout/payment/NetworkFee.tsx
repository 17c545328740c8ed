'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import { formatAmount } from '../../../order/formatAmount.js'
import { isSponsored } from '../../../order/payment.js'
import { fromBaseUnits } from '../../../schema/baseUnits.js'
import { evmChains, isEvmChainName } from '../../../schema/chains.js'
import type { Order } from '../../../schema/index.js'
import { useNetworkFee } from '../evm/useNetworkFee.js'
import { useCheckout } from '../RootContext.js'
import { type CheckoutValue, getCheckoutStage, getMessages } from '../value.js'

export declare namespace CheckoutNetworkFee {
  /**
   * State of {@link CheckoutNetworkFee}.
   *
   * @units `amount` is the exact estimate: a decimal string in whole units of `currency`.
   */
  export type State = { amount: string | undefined; currency: string | undefined }

  /** Props of {@link CheckoutNetworkFee}. */
  export type Props = PartProps<'span', CheckoutNetworkFee.State>
}

const select = (value: CheckoutValue) => {
  const { order } = value
  return {
    payment: getCheckoutStage(value) === 'ready-to-pay' ? order?.payment : undefined,
    // The shop pays it.
    nothing: order && isSponsored(order) ? getMessages(value).noNetworkFee : undefined,
    locale: order?.locale,
  }
}

/**
 * Renders a `<span>`. Shows what the network will charge for the payment, as the buyer's node estimates it:
 * `≈ 0.000092 ETH`. Says that it charges nothing if the shop sends the payment. Absent unless the order is ready to be
 * paid, while the node has not answered, and on Solana.
 */
export function CheckoutNetworkFee(props: CheckoutNetworkFee.Props): ReactElement | null {
  const { payment, nothing, locale } = useCheckout('NetworkFee', select)
  const chain = payment?.method ?? ''
  // Separate components, so that only an order that is ready needs a wallet's configuration.
  if (!payment || !isEvmChainName(chain)) return null
  if (nothing === undefined) return <Estimate payment={payment} locale={locale} {...props} />
  return <Nothing currency={evmChains[chain].nativeCurrency} sentence={nothing} {...props} />
}

function Nothing({
  currency,
  sentence: children,
  ...props
}: CheckoutNetworkFee.Props & { currency: string; sentence: string }) {
  return useRender('span', 'network-fee', props, { amount: '0', currency }, { children })
}

/** Rounds an estimate up to two significant digits, because its last ones change with every block. */
const roundEstimate = (units: bigint): bigint => {
  const step = 10n ** BigInt(Math.max(0, `${units}`.length - 2))
  return ((units + step - 1n) / step) * step
}

type EstimateProps = CheckoutNetworkFee.Props & { payment: Order['payment']; locale: string | undefined }

function Estimate({ payment, locale, ...props }: EstimateProps) {
  const { units, decimals, currency } = useNetworkFee(payment)
  const isKnown = units !== undefined && currency !== undefined
  const state = { amount: isKnown ? fromBaseUnits(units, decimals) : undefined, currency }
  const rounded = isKnown && { amount: fromBaseUnits(roundEstimate(units), decimals), currency }
  const element = useRender('span', 'network-fee', props, state, {
    children: rounded && `≈\u00a0${formatAmount(rounded, locale)}`,
  })
  return isKnown ? element : null
}
