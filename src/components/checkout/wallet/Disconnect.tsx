'use client'

import type { ReactElement } from 'react'
import { useSolanaWallets } from '../../../hooks/solana/useSolanaWallets.js'
import { type PartProps, useRender } from '../../../internal/render.js'
import { ofFamily } from '../../../schema/chains.js'
import { useEvmDisconnect } from '../evm/wallets.js'
import { getOpenStep, isUnderWay } from '../openStep.js'
import { isUnpaid } from '../payment/isUnpaid.js'
import { useCheckout, useCheckoutStore } from '../RootContext.js'
import { type CheckoutValue, getMessages } from '../value.js'
import { useBuyerWallet } from './useBuyerWallet.js'

export declare namespace CheckoutDisconnect {
  /** State of {@link CheckoutDisconnect}. */
  export type State = {
    /** Whether a payment that needs the wallet is in progress. */
    isPaying: boolean
  }

  /** Props of {@link CheckoutDisconnect}. */
  export type Props = PartProps<'button', CheckoutDisconnect.State>
}

const isPaying = (value: CheckoutValue): boolean => isUnderWay(getOpenStep(value).status)

const select = (value: CheckoutValue) => ({
  isUnpaid: isUnpaid(value),
  method: value.order?.payment.method,
  isPaying: isPaying(value),
  label: getMessages(value).otherWallet,
})

/**
 * Renders a `<button>`. Disconnects the wallet, so that the buyer can choose another. Absent without a
 * connected wallet, and once the order is paid.
 */
export function CheckoutDisconnect(props: CheckoutDisconnect.Props): ReactElement | null {
  const store = useCheckoutStore('Disconnect')
  const { isUnpaid, method, label, ...state } = useCheckout('Disconnect', select)
  const { status } = useBuyerWallet(method)
  const { disconnect: disconnectSolana } = useSolanaWallets()
  const disconnects = {
    evm: useEvmDisconnect(),
    // A wallet that fails to disconnect is forgotten all the same.
    solana: () => void disconnectSolana().catch(() => undefined),
  }
  const element = useRender('button', 'disconnect', props, state, {
    type: 'button',
    'aria-disabled': state.isPaying || undefined,
    onClick: () => {
      if (!isPaying(store.get())) ofFamily(disconnects, method)()
    },
    children: label,
  })
  return isUnpaid && status === 'connected' ? element : null
}
