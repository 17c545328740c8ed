'use client'

import type { ReactElement } from 'react'
import { erc20Abi } from 'viem'
import { useBalance, useConnection, useReadContract } from 'wagmi'
import { findTokenIn } from '../../../chain/evm/tokens.js'
import { useProvided } from '../../../hooks/checkoutContext.js'
import { type PartProps, useRender } from '../../../internal/render.js'
import { getTotal } from '../../../order/totals.js'
import { fromBaseUnits, toBaseUnits } from '../../../schema/baseUnits.js'
import { evmChains, isEvmChainName } from '../../../schema/chains.js'
import { showAmount } from '../price/showAmount.js'
import { useCheckout } from '../RootContext.js'
import { type CheckoutValue, getCheckoutStage, getMessages } from '../value.js'
import { useKnownTokens } from './useKnownTokens.js'

export declare namespace CheckoutFunds {
  /**
   * State of {@link CheckoutFunds}.
   *
   * @units `balance` and `missing` are exact decimal strings in whole units of `currency`.
   */
  export type State = {
    /** The wallet's balance. */
    balance: string
    /**
     * The amount missing from the price; undefined if nothing is missing, or only the network fee, whose amount
     * is unknown beforehand.
     */
    missing: string | undefined
    currency: string
  }

  /** Props of {@link CheckoutFunds}. */
  export type Props = PartProps<'dl', CheckoutFunds.State>
}

// Frequent enough to notice arriving money soon, and rare enough to spare the node.
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
 * Renders a `<dl>`. Shows the connected wallet's balance on the chain and the missing amount. Absent unless
 * the order waits for funds.
 */
export function CheckoutFunds(props: CheckoutFunds.Props): ReactElement | null {
  const { isShort, ...slice } = useCheckout('Funds', select)
  // A separate component, so that only an order that lacks funds needs a wallet.
  return isShort ? <Balance slice={slice} {...props} /> : null
}

// The React Compiler does not compile a component with a bigint literal.
const none = 0n

type BalanceProps = CheckoutFunds.Props & { slice: Omit<ReturnType<typeof select>, 'isShort'> }

function Balance({ slice: { payment, price, locale, messages }, ...props }: BalanceProps) {
  const { address } = useConnection()
  const tables = [useProvided()?.rules.tokens, useKnownTokens()]
  const method = payment?.method ?? ''
  const chain = isEvmChainName(method) ? evmChains[method] : undefined
  const isFee = payment?.status === 'crypto-payer-insufficient-funds-for-gas'
  const currency = (isFee ? chain?.nativeCurrency : payment?.currency?.toLowerCase()) ?? ''
  const token = findTokenIn(tables, method, currency)
  const network = { chainId: chain?.chainId, query: { refetchInterval } }
  // Without an address wagmi sends no request, so only one of the two balances is queried.
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
