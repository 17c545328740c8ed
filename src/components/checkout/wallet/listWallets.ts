import type { Connector } from 'wagmi'

// wagmi's id for the connector to the wallet that last injected itself into the page.
const anyInjected = 'injected'

/**
 * Lists the wallets a buyer can choose from, each once. The unnamed injected one is listed only if it exists
 * and no wallet has announced itself.
 *
 * @param hasInjected - Whether a wallet has injected itself into the page (`window.ethereum`).
 */
export const listWallets = (connectors: readonly Connector[], hasInjected: boolean): Connector[] => {
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
