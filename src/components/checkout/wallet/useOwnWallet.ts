'use client'

import { useCallback, useSyncExternalStore } from 'react'
import { getEvmAddress, watchEvmAddress } from '../../../hooks/evm/account.js'
import { useWagmiConfig } from '../../../hooks/evm/wagmiConfig.js'
import { useSolanaWallets } from '../../../hooks/solana/useSolanaWallets.js'
import { ofFamily } from '../../../schema/chains.js'

/**
 * Returns the address of the connected wallet on a chain; undefined without a wallet, and without wagmi.
 *
 * @param chain - The chain by the interface's name.
 */
export const useOwnWallet = (chain: string | undefined): string | undefined => {
  const solana = useSolanaWallets()
  const config = useWagmiConfig()
  const subscribe = useCallback((onChange: () => void) => watchEvmAddress(config, onChange), [config])
  const evmAddress = useSyncExternalStore(
    subscribe,
    () => getEvmAddress(config),
    () => undefined,
  )
  return ofFamily({ evm: evmAddress, solana: solana.address }, chain)
}
