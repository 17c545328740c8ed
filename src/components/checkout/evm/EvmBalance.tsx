'use client'

import { skipToken, useQuery } from '@tanstack/react-query'
import type { Address, Client } from 'viem'
import { useAccount, useClient } from 'wagmi'
import { findTokenIn } from '../../../chain/evm/tokens.js'
import { useProvided } from '../../../hooks/checkoutContext.js'
import { evmChains, isEvmChainName } from '../../../schema/chains.js'
import { type BalanceProps, balanceRefetchInterval } from '../payment/held.js'
import { useKnownTokens } from '../payment/useKnownTokens.js'

// Loaded with the payment, because what calls a contract is large and a page without a wallet reads no balance.
const read = async (client: Client, account: Address, token: Address | undefined): Promise<bigint> => {
  const { readBalance } = await import('../../../pay/createPayment.js')
  return readBalance(client, account, token)
}

const nativeDecimals = 18

/** Renders no element. Reads a balance of the account that is connected through wagmi. */
export function EvmBalance({ payment, isFee = false, children }: BalanceProps) {
  const { address } = useAccount()
  const tables = [useProvided()?.rules.tokens, useKnownTokens()]
  const method = payment.method ?? ''
  const chain = isEvmChainName(method) ? evmChains[method] : undefined
  const currency = (isFee ? chain?.nativeCurrency : payment.currency?.toLowerCase()) ?? ''
  const token = findTokenIn(tables, method, currency)
  const client = useClient({ chainId: chain?.chainId })
  const isKnown = token !== undefined || currency === chain?.nativeCurrency
  const { data } = useQuery({
    queryKey: ['kassa', 'balance', { chainId: chain?.chainId, address, token: token?.address }],
    queryFn: client && address && isKnown ? () => read(client, address, token?.address) : skipToken,
    refetchInterval: balanceRefetchInterval,
  })
  return children({ currency, units: data, decimals: token?.decimals ?? nativeDecimals })
}
