'use client'

import { useCallback, useSyncExternalStore } from 'react'
import { getAccount, watchAccount } from 'wagmi/actions'
import { useSolanaWallets } from '../../../hooks/useSolanaWallets.js'
import { useWagmiConfig } from '../useWagmiConfig.js'

/**
 * Returns the address of the connected wallet on a chain; undefined without a wallet, and without wagmi.
 *
 * @param chain - The chain by the interface's name.
 */
export const useOwnWallet = (chain: string | undefined): string | undefined => {
  const solana = useSolanaWallets()
  const config = useWagmiConfig()
  const subscribe = useCallback(
    (onChange: () => void) => (config ? watchAccount(config, { onChange }) : () => {}),
    [config],
  )
  const evmAddress = useSyncExternalStore(
    subscribe,
    () => config && getAccount(config).address,
    () => undefined,
  )
  return chain === 'solana' ? solana.address : evmAddress
}
