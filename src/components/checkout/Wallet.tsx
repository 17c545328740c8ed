'use client'

import type { ReactElement } from 'react'
import { type Connector, useConnect } from 'wagmi'
import { isRejection } from '../../chain/isRejection.js'
import { type PartProps, useRender } from '../../internal/render.js'
import { fill } from '../../locales/fill.js'
import { editPayment } from './editPayment.js'
import { useCheckout, useCheckoutStore } from './RootContext.js'
import { type CheckoutValue, getCheckoutStage, getMessages } from './value.js'

/** State of {@link CheckoutWallet}. */
export type CheckoutWalletState = {
  name: string
  /** Whether the wallet was asked to connect and has not answered. */
  isPending: boolean
  /** Whether it did not connect when it was last asked. */
  isFailed: boolean
}

/** Props of {@link CheckoutWallet}. */
export type CheckoutWalletProps = PartProps<'button', CheckoutWalletState> & {
  /** The wallet, of wagmi's `useConnectors`. */
  connector: Connector
}

const iconSize = 24

const select = (value: CheckoutValue) => ({ messages: getMessages(value) })

/**
 * Renders a `<button>`. Connects one wallet; its account pays if the order waits for somebody who does. Beside it
 * stands a `<span>` that says so when the wallet fails; what the buyer declined in it is no failure.
 */
export function CheckoutWallet({ connector, ...props }: CheckoutWalletProps): ReactElement {
  const store = useCheckoutStore('Wallet')
  const { messages } = useCheckout('Wallet', select)
  const { mutate, isPending, isError, error } = useConnect({
    mutation: {
      onSuccess: ({ accounts }) => {
        const value = store.get()
        const [account] = accounts
        if (getCheckoutStage(value) === 'needs-payer' && typeof account === 'string')
          editPayment(value, value.order?.payment, account)
      },
    },
  })
  const { name, icon } = connector
  const element = useRender(
    'button',
    'wallet',
    props,
    { name, isPending, isFailed: isError },
    {
      type: 'button',
      'aria-disabled': isPending || undefined,
      onClick: () => {
        if (!isPending) mutate({ connector })
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
          {messages.walletFailed}
        </span>
      )}
    </>
  )
}
