'use client'

import { useMutation } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { type Connector, useConnect } from 'wagmi'
import { isRejection } from '../../../chain/evm/isRejection.js'
import { useSolanaWallets } from '../../../hooks/useSolanaWallets.js'
import { type PartProps, useRender } from '../../../internal/render.js'
import { fill } from '../../../locales/fill.js'
import type { SolanaWallet } from '../../../pay/solanaPayments.js'
import { editPayment } from '../payment/editPayment.js'
import { useCheckout, useCheckoutStore } from '../RootContext.js'
import { type CheckoutValue, getCheckoutStage, getMessages } from '../value.js'

export declare namespace CheckoutWallet {
  /** State of {@link CheckoutWallet}. */
  export type State = {
    name: string
    /** Whether the wallet was asked to connect and has not answered. */
    isPending: boolean
    /** Whether the last attempt to connect failed. */
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

type Connecting = {
  isPending: boolean
  isError: boolean
  error: unknown
  connect(): void
}

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
  return 'uid' in connector ? (
    <EvmWallet connector={connector} onConnected={onConnected} {...props} />
  ) : (
    <SolanaWalletButton connector={connector} onConnected={onConnected} {...props} />
  )
}

type FamilyProps<Wallet> = Omit<CheckoutWallet.Props, 'connector'> & {
  connector: Wallet
  onConnected(account: string | undefined): void
}

function EvmWallet({ connector, onConnected, ...props }: FamilyProps<Connector>) {
  const { connect, isPending, isError, error } = useConnect({
    mutation: {
      onSuccess: ({ accounts }) => {
        const [account] = accounts
        onConnected(typeof account === 'string' ? account : undefined)
      },
    },
  })
  const connecting = { isPending, isError, error, connect: () => connect({ connector }) }
  return <WalletButton {...props} {...connecting} name={connector.name} icon={connector.icon} />
}

function SolanaWalletButton({ connector, onConnected, ...props }: FamilyProps<SolanaWallet>) {
  const { connect } = useSolanaWallets()
  const { mutate, isPending, isError, error } = useMutation({
    mutationFn: () => connect(connector),
    onSuccess: onConnected,
  })
  const connecting = { isPending, isError, error, connect: () => mutate() }
  return <WalletButton {...props} {...connecting} name={connector.name} icon={connector.icon} />
}

type WalletButtonProps = Omit<CheckoutWallet.Props, 'connector'> &
  Connecting & { name: string; icon?: string | undefined }

function WalletButton({ name, icon, isPending, isError, error, connect, ...props }: WalletButtonProps) {
  const { messages } = useCheckout('Wallet', select)
  const element = useRender(
    'button',
    'wallet',
    props,
    { name, isPending, isFailed: isError },
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
      {isError && !isRejection(error) && (
        <span data-kassa="wallet-error" role="alert">
          {messages.connectFailed}
        </span>
      )}
    </>
  )
}
