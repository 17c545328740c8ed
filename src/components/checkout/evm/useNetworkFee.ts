'use client'

import { skipToken, useQuery } from '@tanstack/react-query'
import type { Client } from 'viem'
import { useClient } from 'wagmi'
import { evmChains, isEvmChainName } from '../../../schema/chains.js'
import type { Order } from '../../../schema/index.js'

// Outside the hook, because the React Compiler does not compile one with a dynamic import.
const estimate = async (client: Client, payment: Order['payment']): Promise<bigint | null> => {
  const { estimateFee } = await import('../../../pay/createPayment.js')
  return (await estimateFee(client, payment)) ?? null
}

// About a block of Ethereum, whose base fee changes with every block.
const refetchInterval = 15_000
const nativeDecimals = 18

/** What the network will charge for a payment, as the buyer's node estimates it. */
export type NetworkFee = {
  /** Undefined while the node has not answered. @units base units of `currency` */
  units: bigint | undefined
  decimals: number
  currency: string | undefined
}

/** Estimates the network fee of a payment on an EVM chain. */
export const useNetworkFee = (payment: Order['payment']): NetworkFee => {
  const { method = '', preparation } = payment
  const chain = isEvmChainName(method) ? evmChains[method] : undefined
  const client = useClient({ chainId: chain?.chainId })
  const transaction = preparation?.serializedTransaction
  const { data } = useQuery({
    queryKey: ['kassa', 'network-fee', { chainId: chain?.chainId, transaction }],
    queryFn: client && transaction ? () => estimate(client, payment) : skipToken,
    refetchInterval,
  })
  return { units: data ?? undefined, decimals: nativeDecimals, currency: chain?.nativeCurrency }
}
