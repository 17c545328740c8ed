'use client'

import type { ReactElement } from 'react'
import { erc20Abi } from 'viem'
import { useBalance, useConnection, useReadContract } from 'wagmi'
import { findTokenIn } from '../../chain/tokens.js'
import { useProvided } from '../../hooks/checkoutContext.js'
import { type PartProps, useRender } from '../../internal/render.js'
import { getTotal } from '../../order/totals.js'
import { fromBaseUnits, toBaseUnits } from '../../schema/baseUnits.js'
import { evmChains, isEvmChainName } from '../../schema/chains.js'
import { useCheckout } from './RootContext.js'
import { showAmount } from './showAmount.js'
import { useKnownTokens } from './useKnownTokens.js'
import { type CheckoutValue, getCheckoutStage, getMessages } from './value.js'

/**
 * State of {@link CheckoutFunds}.
 *
 * @units `balance` and `missing` are exact decimal strings in whole units of `currency`.
 */
export type CheckoutFundsState = {
  /** What is in the wallet. */
  balance: string
  /** What it lacks of the price; undefined when that is nothing, or the network fee, which nobody knows beforehand. */
  missing: string | undefined
  currency: string
}

/** Props of {@link CheckoutFunds}. */
export type CheckoutFundsProps = PartProps<'dl', CheckoutFundsState>

// Money that arrives is noticed soon, and nobody's node is overrun.
const refetchInterval = 10_000
const nativeDecimals = 18

const select = (value: CheckoutValue) => ({
  isShort: getCheckoutStage(value) === 'insufficient-funds',
  payment: value.order?.payment,
  price: value.order && getTotal(value.order),
  locale: value.order?.locale,
  messages: getMessages(value),
})

/**
 * Renders a `<dl>`. What is in the connected wallet and what it lacks, as the chain has it; absent unless the order
 * waits for more.
 */
export function CheckoutFunds(props: CheckoutFundsProps): ReactElement | null {
  const { isShort, ...slice } = useCheckout('Funds', select)
  // A component of its own, so that only who lacks funds needs a wallet.
  return isShort ? <Balance slice={slice} {...props} /> : null
}

// The React Compiler leaves a component alone that writes a bigint out.
const none = 0n

type BalanceProps = CheckoutFundsProps & { slice: Omit<ReturnType<typeof select>, 'isShort'> }

function Balance({ slice: { payment, price, locale, messages }, ...props }: BalanceProps) {
  const { address } = useConnection()
  const tables = [useProvided()?.rules.tokens, useKnownTokens()]
  const method = payment?.method ?? ''
  const chain = isEvmChainName(method) ? evmChains[method] : undefined
  const isFee = payment?.status === 'crypto-payer-insufficient-funds-for-gas'
  const currency = (isFee ? chain?.nativeCurrency : payment?.currency?.toLowerCase()) ?? ''
  const token = findTokenIn(tables, method, currency)
  const network = { chainId: chain?.chainId, query: { refetchInterval } }
  // Without an address wagmi asks nothing: of the two, only the one that is wanted.
  const coins = useBalance({ ...network, address: currency === chain?.nativeCurrency ? address : undefined })
  const tokens = useReadContract({
    ...network,
    abi: erc20Abi,
    address: address && token?.address,
    functionName: 'balanceOf',
    args: address && [address],
  })
  const decimals = token?.decimals ?? nativeDecimals
  const units = token ? tokens.data : coins.data?.value
  const held = units ?? none
  const lacking = ((!isFee && price && toBaseUnits(price.amount, decimals)) || none) - held
  const balance = fromBaseUnits(held, decimals)
  const missing = lacking > none ? fromBaseUnits(lacking, decimals) : undefined
  const show = (term: string, amount: string, isUp: boolean) => (
    <>
      <dt>{term}</dt>
      <dd>
        <span {...showAmount({ amount, currency }, locale, isUp)} />
      </dd>
    </>
  )
  const element = useRender(
    'dl',
    'funds',
    props,
    { balance, missing, currency },
    {
      children: (
        <>
          {show(messages.inWallet, balance, false)}
          {missing !== undefined && show(messages.missing, missing, true)}
        </>
      ),
    },
  )
  return units === undefined ? null : element
}
