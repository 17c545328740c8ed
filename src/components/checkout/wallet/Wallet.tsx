'use client'

import type { ReactElement } from 'react'
import { type Connector, useConnect } from 'wagmi'
import { isRejection } from '../../../chain/evm/isRejection.js'
import { type PartProps, useRender } from '../../../internal/render.js'
import { fill } from '../../../locales/fill.js'
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
    /** The wallet, from wagmi's `useConnectors`. */
    connector: Connector
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
