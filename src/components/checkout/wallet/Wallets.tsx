'use client'

import type { ReactElement, ReactNode } from 'react'
import { useSolanaWallets } from '../../../hooks/solana/useSolanaWallets.js'
import { type PartProps, useRender } from '../../../internal/render.js'
import { useIsHydrated } from '../../../internal/useIsHydrated.js'
import { isChangeable } from '../../../order/payment.js'
import { ofFamily, type PerFamily } from '../../../schema/chains.js'
import type { Order } from '../../../schema/index.js'
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

const hasPayer = ({ payment }: Order): boolean => payment.preparation?.payerAddress !== undefined

const select = (value: CheckoutValue) => ({
  isUnpaid: isUnpaid(value),
  // A wallet pays once it is the payer, which an order names while it can be changed.
  isOpen: value.order !== undefined && (hasPayer(value.order) || isChangeable(value.order)),
  method: value.order?.payment.method,
  messages: getMessages(value),
})

/**
 * Renders a `<div>`. Lists the wallets found in this browser and those the app has configured, of the chain on which
 * the order is paid. Absent while one is connected, once the order is paid, and once a part of the price was paid from
 * another device: the rest is paid from there.
 */
export function CheckoutWallets({ children, ...props }: CheckoutWallets.Props): ReactElement | null {
  const { isUnpaid, isOpen, method, messages } = useCheckout('Wallets', select)
  const { status } = useBuyerWallet(method)
  const solana = useSolanaWallets()
  // The browser's wallets are unknown before hydration, so "none" would be premature.
  const isHydrated = useIsHydrated()
  const evmWallets = useEvmWallets(isHydrated)
  const families: PerFamily<readonly CheckoutWallet.Props['connector'][]> = {
    evm: evmWallets,
    solana: solana.wallets,
  }
  const wallets = isHydrated ? ofFamily(families, method) : []
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
  return isUnpaid && isOpen && (status === 'disconnected' || status === 'connecting') ? element : null
}
