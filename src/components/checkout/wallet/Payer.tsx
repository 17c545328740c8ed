'use client'

import type { ReactElement } from 'react'
import { useConnection } from 'wagmi'
import { type PartProps, useRender } from '../../../internal/render.js'
import { fill } from '../../../locales/fill.js'
import { isEditable } from '../forms/isEditable.js'
import { editPayment } from '../payment/editPayment.js'
import { isUnpaid } from '../payment/isUnpaid.js'
import { useCheckout, useCheckoutStore } from '../RootContext.js'
import { type CheckoutValue, getMessages } from '../value.js'
import { shorten } from './shorten.js'

export declare namespace CheckoutPayer {
  /** State of {@link CheckoutPayer}. */
  export type State = {
    /** The connected account. */
    address: string | undefined
    /** Whether the order expects a payment from this account. */
    isPayer: boolean
    /** Whether a change of the order is in progress. */
    isPending: boolean
  }

  /** Props of {@link CheckoutPayer}. */
  export type Props = PartProps<'button', CheckoutPayer.State>
}

const select = (value: CheckoutValue) => ({
  isUnpaid: isUnpaid(value),
  isEditable: isEditable(value),
  isPending: Boolean(value.isEditing),
  payer: value.order?.payment.preparation?.payerAddress?.toLowerCase(),
  payFrom: getMessages(value).payFrom,
})

/**
 * Renders a `<button>`. Makes the connected account the payer. Does nothing once it is. Absent without a
 * wallet, and once the order is paid.
 */
export function CheckoutPayer(props: CheckoutPayer.Props): ReactElement | null {
  const store = useCheckoutStore('Payer')
  const { payer, payFrom, isPending, ...order } = useCheckout('Payer', select)
  const { address } = useConnection()
  const isPayer = address?.toLowerCase() === payer
  const element = useRender(
    'button',
    'payer',
    props,
    { address, isPayer, isPending },
    {
      type: 'button',
      title: address,
      'aria-disabled': isPayer || !order.isEditable || undefined,
      onClick: () => {
        if (!isPayer) editPayment(store.get(), store.get().order?.payment, address)
      },
      children: address && fill(payFrom, { address: shorten(address) }),
    },
  )
  return address && order.isUnpaid ? element : null
}
