'use client'

import { useCallback, useContext, useSyncExternalStore } from 'react'
import { WagmiContext } from 'wagmi'
import { getConnection, watchConnection } from 'wagmi/actions'

/** The address of the connected wallet; undefined without one, and where there is no wagmi at all. */
export const useOwnWallet = (): string | undefined => {
  // Not by wagmi's hook: a checkout can be shown where there is no wallet at all.
  const config = useContext(WagmiContext)
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
