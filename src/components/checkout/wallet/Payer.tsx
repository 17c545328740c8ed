'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import { fill } from '../../../locales/fill.js'
import { isChangeable } from '../../../order/payment.js'
import { isEditable } from '../forms/isEditable.js'
import { editPayment } from '../payment/editPayment.js'
import { isUnpaid } from '../payment/isUnpaid.js'
import { useCheckout, useCheckoutStore } from '../RootContext.js'
import { type CheckoutValue, getMessages } from '../value.js'
import { isSameAccount } from './accounts.js'
import { shorten } from './shorten.js'
import { useBuyerWallet } from './useBuyerWallet.js'

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
  isOpen: value.order !== undefined && isChangeable(value.order),
  isEditable: isEditable(value),
  isPending: Boolean(value.isEditing),
  method: value.order?.payment.method,
  payer: value.order?.payment.preparation?.payerAddress,
  chooseAccount: getMessages(value).chooseAccount,
})

/**
 * Renders a `<button>`. Makes the connected account the payer. Once it is, or the order cannot be changed, the button
 * shows only the address and does nothing. Absent without a wallet, and once the order is paid.
 */
export function CheckoutPayer(props: CheckoutPayer.Props): ReactElement | null {
  const store = useCheckoutStore('Payer')
  const { method, payer, chooseAccount, isPending, ...order } = useCheckout('Payer', select)
  const { address } = useBuyerWallet(method)
  const isPayer = isSameAccount(address, payer)
  const label = isPayer || !order.isOpen ? '{address}' : chooseAccount
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
      children: address && fill(label, { address: shorten(address) }),
    },
  )
  return address && order.isUnpaid ? element : null
}
