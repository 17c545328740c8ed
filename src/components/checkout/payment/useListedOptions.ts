'use client'

import { useProvided } from '../../../hooks/checkoutContext.js'
import { useRequiredWagmiConfig } from '../../../hooks/evm/wagmiConfig.js'
import { usePaymentOptions } from '../../../hooks/usePaymentOptions.js'
import type { OrderParameters } from '../../../query/order.js'
import { ofFamily } from '../../../schema/chains.js'
import { findChain } from '../evm/findChain.js'
import { useBuyerWallet } from '../wallet/useBuyerWallet.js'

/** Lists the ways to pay an order from the connected wallet, on the chains that the app is configured for. */
export const useListedOptions = (access: OrderParameters, method: string | undefined) => {
  const { address } = useBuyerWallet(method)
  const { data, isPending, isFetching } = usePaymentOptions({ ...access, payerAddress: address })
  const config = useRequiredWagmiConfig()
  const solana = useProvided()?.solana
  const options = data?.filter(({ chain }) =>
    ofFamily<unknown>({ evm: findChain(config, chain), solana }, chain),
  )
  return { options, address, isPending, isFetching }
}
