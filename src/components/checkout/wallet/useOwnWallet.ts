'use client'

import { useCallback, useSyncExternalStore } from 'react'
import { getConnection, watchConnection } from 'wagmi/actions'
import { useWagmiConfig } from '../useWagmiConfig.js'

/** Returns the connected wallet's address; undefined without a wallet, and without wagmi. */
export const useOwnWallet = (): string | undefined => {
  const config = useWagmiConfig()
  const subscribe = useCallback(
    (onChange: () => void) => (config ? watchConnection(config, { onChange }) : () => {}),
    [config],
  )
  return useSyncExternalStore(
    subscribe,
    () => config && getConnection(config).address,
    () => undefined,
  )
}
