import type { Connector } from 'wagmi'

// What wagmi calls a connector to whatever wallet has put itself into the page last.
const anyInjected = 'injected'

/**
 * The wallets a buyer can choose from, each once. The one without a name is there only if none has announced
 * itself, and if there is one.
 *
 * @param hasInjected - Whether a wallet has put itself into the page (`window.ethereum`).
 */
export const listWallets = (connectors: readonly Connector[], hasInjected: boolean): Connector[] => {
  const isNamed = ({ id, type }: Connector): boolean => type === 'injected' && id !== anyInjected
  const isAnyShown = hasInjected && !connectors.some(isNamed)
  // Announced ones first: they bring their picture.
  const sorted = [...connectors].sort((a, b) => Number(isNamed(b)) - Number(isNamed(a)))
  const isFirst = ({ name }: Connector, index: number): boolean =>
    sorted.findIndex((other) => other.name.toLowerCase() === name.toLowerCase()) === index
  return sorted.filter((connector, index) =>
    connector.id === anyInjected ? isAnyShown : isFirst(connector, index),
  )
}
