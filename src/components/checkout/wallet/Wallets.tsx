'use client'

import type { ReactElement, ReactNode } from 'react'
import { useSolanaWallets } from '../../../hooks/useSolanaWallets.js'
import { type PartProps, useRender } from '../../../internal/render.js'
import { useIsHydrated } from '../../../internal/useIsHydrated.js'
import { useEvmWallets } from '../evm/wallets.js'
import { isUnpaid } from '../payment/isUnpaid.js'
import { useCheckout } from '../RootContext.js'
import { type CheckoutValue, getMessages } from '../value.js'
import { useBuyerWallet } from './useBuyerWallet.js'
import { CheckoutWallet } from './Wallet.js'

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
  // The browser's wallets are unknown before hydration, so "none" would be premature.
  const isHydrated = useIsHydrated()
  const evmWallets = useEvmWallets(isHydrated)
  const found = method === 'solana' ? solana.wallets : evmWallets
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
