'use client'

import { skipToken, useQuery } from '@tanstack/react-query'
import type { Amount, Order } from 'kassa'
import { useCheckoutShop } from './checkoutShop'
import { readNetworkFee } from './networkFee'

/** Reads from the chain what a payment's transaction cost its payer; undefined until it is known. */
export const useNetworkFee = (
  chain: string | undefined,
  received: Order['payment']['received'],
): Amount | undefined => {
  const { txId, payerAddress } = received ?? {}
  const { networks } = useCheckoutShop()
  const network = networks.find(({ name }) => name === chain)
  const read = useQuery({
    queryKey: ['network-fee', network?.rpcUrl, txId],
    queryFn:
      network && txId
        ? () => readNetworkFee(network, { txId, payerAddress }).then((fee) => fee ?? null)
        : skipToken,
  })
  return read.data ?? undefined
}
