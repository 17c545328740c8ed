'use client'

import { erc20Abi } from 'viem'
import { useAccount, useBalance, useReadContract } from 'wagmi'
import { findTokenIn } from '../../../chain/evm/tokens.js'
import { useProvided } from '../../../hooks/checkoutContext.js'
import { evmChains, isEvmChainName } from '../../../schema/chains.js'
import { type BalanceProps, balanceRefetchInterval } from '../payment/held.js'
import { useKnownTokens } from '../payment/useKnownTokens.js'

const nativeDecimals = 18

/** Renders no element. Reads a balance of the account that is connected through wagmi. */
export function EvmBalance({ payment, isFee = false, children }: BalanceProps) {
  const { address } = useAccount()
  const tables = [useProvided()?.rules.tokens, useKnownTokens()]
  const method = payment.method ?? ''
  const chain = isEvmChainName(method) ? evmChains[method] : undefined
  const currency = (isFee ? chain?.nativeCurrency : payment.currency?.toLowerCase()) ?? ''
  const token = findTokenIn(tables, method, currency)
  const network = { chainId: chain?.chainId, query: { refetchInterval: balanceRefetchInterval } }
  // Without an address wagmi sends no request, so only one of the two balances is queried.
  const coins = useBalance({ ...network, address: currency === chain?.nativeCurrency ? address : undefined })
  const tokens = useReadContract({
    ...network,
    abi: erc20Abi,
    address: address && token?.address,
    functionName: 'balanceOf',
    args: address && [address],
  })
  return children({
    currency,
    units: token ? tokens.data : coins.data?.value,
    decimals: token?.decimals ?? nativeDecimals,
  })
}
