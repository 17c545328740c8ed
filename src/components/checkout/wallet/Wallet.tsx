'use client'

import type { ReactElement } from 'react'
import { isRejection } from '../../../chain/evm/isRejection.js'
import { type PartProps, useRender } from '../../../internal/render.js'
import { fill } from '../../../locales/fill.js'
import type { SolanaWallet } from '../../../pay/solanaPayments.js'
import { ConnectEvm } from '../evm/ConnectEvm.js'
import type { Connector } from '../evm/wallets.js'
import { editPayment } from '../payment/editPayment.js'
import { useCheckout, useCheckoutStore } from '../RootContext.js'
import { ConnectSolana } from '../solana/ConnectSolana.js'
import { type CheckoutValue, getCheckoutStage, getMessages } from '../value.js'
import type { Connecting } from './connecting.js'

export declare namespace CheckoutWallet {
  /** State of {@link CheckoutWallet}. */
  export type State = {
    name: string
    /** Whether the wallet was asked to connect and has not answered. */
    isPending: boolean
    /** Whether the last attempt to connect failed. Declining in the wallet is not a failure. */
    isFailed: boolean
  }

  /** Props of {@link CheckoutWallet}. */
  export type Props = PartProps<'button', CheckoutWallet.State> & {
    /** The wallet, from wagmi's `useConnectors` or from `useSolanaWallets`. */
    connector: Connector | SolanaWallet
  }
}

const iconSize = 24

const select = (value: CheckoutValue) => ({ messages: getMessages(value) })

/**
 * Renders a `<button>`. Connects one wallet. Its account becomes the payer if the order waits for one. A
 * `<span>` beside it reports a failure of the wallet; declining in the wallet is not a failure.
 */
export function CheckoutWallet({ connector, ...props }: CheckoutWallet.Props): ReactElement {
  const store = useCheckoutStore('Wallet')
  const onConnected = (account: string | undefined): void => {
    const value = store.get()
    if (getCheckoutStage(value) === 'needs-payer' && account !== undefined)
      editPayment(value, value.order?.payment, account)
  }
  const show = (connecting: Connecting) => (
    <WalletButton {...props} {...connecting} name={connector.name} icon={connector.icon} />
  )
  return 'uid' in connector ? (
    <ConnectEvm connector={connector} onConnected={onConnected}>
      {show}
    </ConnectEvm>
  ) : (
    <ConnectSolana connector={connector} onConnected={onConnected}>
      {show}
    </ConnectSolana>
  )
}

type WalletButtonProps = Omit<CheckoutWallet.Props, 'connector'> &
  Connecting & { name: string; icon?: string | undefined }

function WalletButton({ name, icon, isPending, isError, error, connect, ...props }: WalletButtonProps) {
  const { messages } = useCheckout('Wallet', select)
  const isFailed = isError && !isRejection(error)
  const element = useRender(
    'button',
    'wallet',
    props,
    { name, isPending, isFailed },
    {
      type: 'button',
      'aria-disabled': isPending || undefined,
      onClick: () => {
        if (!isPending) connect()
      },
      children: (
        <>
          {icon && <img src={icon.trim()} alt="" width={iconSize} height={iconSize} />}{' '}
          {isPending ? messages.connecting : fill(messages.connect, { wallet: name })}
        </>
      ),
    },
  )
  return (
    <>
      {element}
      {isFailed && (
        <span data-kassa="wallet-error" role="alert">
          {messages.connectFailed}
        </span>
      )}
    </>
  )
}
