'use client'

import type { ReactElement, ReactNode } from 'react'
import { type Connector, useConnectors } from 'wagmi'
import { useSolanaWallets } from '../../../hooks/useSolanaWallets.js'
import { type PartProps, useRender } from '../../../internal/render.js'
import { useIsHydrated } from '../../../internal/useIsHydrated.js'
import { isUnpaid } from '../payment/isUnpaid.js'
import { useCheckout } from '../RootContext.js'
import { type CheckoutValue, getMessages } from '../value.js'
import { useBuyerWallet } from './useBuyerWallet.js'
import { CheckoutWallet } from './Wallet.js'

// wagmi's id for the connector to the wallet that last injected itself into the page.
const anyInjected = 'injected'

/**
 * Lists the wallets a buyer can choose from, each once. The unnamed injected one is listed only if it exists
 * and no wallet has announced itself.
 *
 * @param hasInjected - Whether a wallet has injected itself into the page (`window.ethereum`).
 */
const listWallets = (connectors: readonly Connector[], hasInjected: boolean): Connector[] => {
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

export declare namespace CheckoutWallets {
  /** State of {@link CheckoutWallets}. */
  export type State = {
    /** The number of wallets to choose from. */
    count: number
  }

  /** Props of {@link CheckoutWallets}. */
  export type Props = Omit<PartProps<'div', CheckoutWallets.State>, 'children'> & {
    /** What to show instead of a button for each wallet, or a function of the wallets. */
    children?: ReactNode | ((wallets: readonly CheckoutWallet.Props['connector'][]) => ReactNode)
  }
}

const select = (value: CheckoutValue) => ({
  isUnpaid: isUnpaid(value),
  method: value.order?.payment.method,
  messages: getMessages(value),
})

/**
 * Renders a `<div>`. Lists the wallets found in this browser and those the app has configured, of the chain on which
 * the order is paid. Absent while one is connected, and once the order is paid.
 */
export function CheckoutWallets({ children, ...props }: CheckoutWallets.Props): ReactElement | null {
  const { isUnpaid, method, messages } = useCheckout('Wallets', select)
  const { status } = useBuyerWallet(method)
  const solana = useSolanaWallets()
  const known = useConnectors()
  // The browser's wallets are unknown before hydration, so "none" would be premature.
  const isHydrated = useIsHydrated()
  const found = method === 'solana' ? solana.wallets : listWallets(known, isHydrated && 'ethereum' in window)
  const wallets = isHydrated ? found : []
  const list = wallets.map((wallet) => <CheckoutWallet key={wallet.name} connector={wallet} />)
  const own = list.length || !isHydrated ? list : messages.noWallet
  const element = useRender(
    'div',
    'wallets',
    props,
    { count: wallets.length },
    {
      role: 'group',
      'aria-label': messages.connectToPay,
      children: typeof children === 'function' ? children(wallets) : (children ?? own),
    },
  )
  return isUnpaid && (status === 'disconnected' || status === 'connecting') ? element : null
}
