'use client'

import { type Connector, type UseAccountReturnType, useAccount, useConnectors, useDisconnect } from 'wagmi'

export type { Connector } from 'wagmi'

/** Returns the connection that the app has through wagmi. */
export const useEvmWallet = (): Pick<UseAccountReturnType, 'status' | 'address'> => useAccount()

/** Returns what disconnects it. */
export const useEvmDisconnect = (): (() => void) => {
  const { disconnect } = useDisconnect()
  return () => disconnect()
}

// wagmi's id for the connector to the wallet that last injected itself into the page.
const anyInjected = 'injected'

/**
 * Lists the wallets a buyer can choose from, each once. The unnamed injected one is listed only if it exists
 * and no wallet has announced itself.
 *
 * @param isHydrated - Whether the page may be looked at: a wallet may have injected itself (`window.ethereum`).
 */
export const useEvmWallets = (isHydrated: boolean): Connector[] => {
  const connectors = useConnectors()
  const hasInjected = isHydrated && 'ethereum' in window
  const isNamed = ({ id, type }: Connector): boolean => type === 'injected' && id !== anyInjected
  const isAnyShown = hasInjected && !connectors.some(isNamed)
  // Announced wallets come first, because they have an icon.
  const sorted = [...connectors].sort((a, b) => Number(isNamed(b)) - Number(isNamed(a)))
  const isFirst = ({ name }: Connector, index: number): boolean =>
    sorted.findIndex((other) => other.name.toLowerCase() === name.toLowerCase()) === index
  return sorted.filter((connector, index) =>
    connector.id === anyInjected ? isAnyShown : isFirst(connector, index),
  )
}
