'use client'

import { useCallback, useSyncExternalStore } from 'react'
import { getConnection, watchConnection } from 'wagmi/actions'
import { useWagmiConfig } from './useWagmiConfig.js'

/** The address of the connected wallet; undefined without one, and where there is no wagmi at all. */
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
