'use client'

import { skipToken, useQuery } from '@tanstack/react-query'
import { useProvided } from '../../../hooks/checkoutContext.js'
import { useSolanaWallets } from '../../../hooks/solana/useSolanaWallets.js'
import { type BalanceProps, balanceRefetchInterval } from '../payment/held.js'

/** Renders no element. Reads a balance of the connected Solana wallet. */
export function SolanaBalance({ payment, isFee = false, children }: BalanceProps) {
  const solana = useProvided()?.solana
  const { address } = useSolanaWallets()
  const currency = isFee ? 'sol' : (payment.currency?.toLowerCase() ?? '')
  const { data } = useQuery({
    queryKey: ['kassa', 'solana-balance', { isTestnet: solana?.isTestnet, address, currency }],
    queryFn: solana && address ? () => solana.getBalance(address, currency) : skipToken,
    refetchInterval: balanceRefetchInterval,
  })
  return children({ currency, units: data?.units, decimals: data?.decimals ?? 0 })
}
