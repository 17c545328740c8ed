'use client'

import { skipToken, useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import type { Client } from 'viem'
import { useClient } from 'wagmi'
import { type PartProps, useRender } from '../../../internal/render.js'
import { formatAmount } from '../../../order/formatAmount.js'
import { fromBaseUnits } from '../../../schema/baseUnits.js'
import { evmChains, isEvmChainName } from '../../../schema/chains.js'
import type { Order } from '../../../schema/index.js'
import { useCheckout } from '../RootContext.js'
import { type CheckoutValue, getCheckoutStage } from '../value.js'

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

const select = (value: CheckoutValue) => ({
  payment: getCheckoutStage(value) === 'ready-to-pay' ? value.order?.payment : undefined,
  locale: value.order?.locale,
})

/**
 * Renders a `<span>`. Shows what the network will charge for the payment, as the buyer's node estimates it:
 * `≈ 0.000092 ETH`. Absent unless the order is ready to be paid, while the node has not answered, and on Solana.
 */
export function CheckoutNetworkFee(props: CheckoutNetworkFee.Props): ReactElement | null {
  const { payment, locale } = useCheckout('NetworkFee', select)
  // Separate components, so that only an order that is ready needs a wallet's configuration.
  if (!payment || !isEvmChainName(payment.method ?? '')) return null
  return <Estimate payment={payment} locale={locale} {...props} />
}

// Outside the component, because the React Compiler does not compile one with a dynamic import.
const estimate = async (client: Client, payment: Order['payment']): Promise<bigint | null> => {
  const { estimateFee } = await import('../../../pay/createPayment.js')
  return (await estimateFee(client, payment)) ?? null
}

// About a block of Ethereum, whose base fee changes with every block.
const refetchInterval = 15_000
const nativeDecimals = 18

/** Rounds an estimate up to two significant digits, because its last ones change with every block. */
const roundEstimate = (wei: bigint): bigint => {
  const step = 10n ** BigInt(Math.max(0, `${wei}`.length - 2))
  return ((wei + step - 1n) / step) * step
}

const describe = (wei: bigint, currency: string, locale: string | undefined): string =>
  `≈\u00a0${formatAmount({ amount: fromBaseUnits(roundEstimate(wei), nativeDecimals), currency }, locale)}`

type EstimateProps = CheckoutNetworkFee.Props & { payment: Order['payment']; locale: string | undefined }

function Estimate({ payment, locale, ...props }: EstimateProps) {
  const { method = '', preparation } = payment
  const chain = isEvmChainName(method) ? evmChains[method] : undefined
  const client = useClient({ chainId: chain?.chainId })
  const transaction = preparation?.serializedTransaction
  const { data: wei } = useQuery({
    queryKey: ['kassa', 'network-fee', { chainId: chain?.chainId, transaction }],
    queryFn: client && transaction ? () => estimate(client, payment) : skipToken,
    refetchInterval,
  })
  const currency = chain?.nativeCurrency
  const isKnown = typeof wei === 'bigint' && currency !== undefined
  const state = { amount: isKnown ? fromBaseUnits(wei, nativeDecimals) : undefined, currency }
  const element = useRender('span', 'network-fee', props, state, {
    children: isKnown && describe(wei, currency, locale),
  })
  return isKnown ? element : null
}
