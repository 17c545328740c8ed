'use client'

import { skipToken, useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { erc20Abi } from 'viem'
import { useAccount, useBalance, useReadContract } from 'wagmi'
import { findTokenIn } from '../../../chain/evm/tokens.js'
import { useProvided } from '../../../hooks/checkoutContext.js'
import { useSolanaWallets } from '../../../hooks/useSolanaWallets.js'
import { evmChains, isEvmChainName } from '../../../schema/chains.js'
import type { Order } from '../../../schema/index.js'
import { useKnownTokens } from './useKnownTokens.js'

/** A balance of the connected wallet. */
export type Held = {
  currency: string
  /** Undefined until the chain has answered, and without a wallet. @units base units */
  units: bigint | undefined
  decimals: number
}

/** Props of {@link WalletBalance}. */
export type WalletBalanceProps = {
  payment: Order['payment']
  /** Whether to read the currency that pays the network's fees, instead of the order's. */
  isFee?: boolean
  children(held: Held): ReactElement
}

// Frequent enough to notice arriving money soon, and rare enough to spare the node.
const refetchInterval = 10_000
const nativeDecimals = 18

/** Renders no element. Reads the connected wallet's balance of the currency that an order is paid in. */
export function WalletBalance(props: WalletBalanceProps): ReactElement {
  const Balance = props.payment.method === 'solana' ? SolanaBalance : EvmBalance
  return <Balance {...props} />
}

function EvmBalance({ payment, isFee = false, children }: WalletBalanceProps) {
  const { address } = useAccount()
  const tables = [useProvided()?.rules.tokens, useKnownTokens()]
  const method = payment.method ?? ''
  const chain = isEvmChainName(method) ? evmChains[method] : undefined
  const currency = (isFee ? chain?.nativeCurrency : payment.currency?.toLowerCase()) ?? ''
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
  return children({
    currency,
    units: token ? tokens.data : coins.data?.value,
    decimals: token?.decimals ?? nativeDecimals,
  })
}

function SolanaBalance({ payment, isFee = false, children }: WalletBalanceProps) {
  const solana = useProvided()?.solana
  const { address } = useSolanaWallets()
  const currency = isFee ? 'sol' : (payment.currency?.toLowerCase() ?? '')
  const { data } = useQuery({
    queryKey: ['kassa', 'solana-balance', { isTestnet: solana?.isTestnet, address, currency }],
    queryFn: solana && address ? () => solana.getBalance(address, currency) : skipToken,
    refetchInterval,
  })
  return children({ currency, units: data?.units, decimals: data?.decimals ?? 0 })
}
