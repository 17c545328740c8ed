'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import { useTransferPart } from './useTransferPart.js'

export declare namespace CheckoutTransferValue {
  /** State of {@link CheckoutTransferValue}. */
  export type State = { of: 'amount' | 'address' | 'network' }

  /** Props of {@link CheckoutTransferValue}. */
  export type Props = PartProps<'span', CheckoutTransferValue.State> & {
    /** Which value: the exact amount (by default), the address that receives it, or the network's name. */
    of?: CheckoutTransferValue.State['of'] | undefined
  }
}

/**
 * Renders a `<span>`. Shows the exact amount of a transfer, its address, or its network. Absent while there is
 * nothing to pay by a transfer, and as an address where only the QR code or its link pays the order.
 */
export function CheckoutTransferValue({
  of = 'amount',
  ...props
}: CheckoutTransferValue.Props): ReactElement | null {
  const { request, amount, network } = useTransferPart('TransferValue')
  const value = { amount, network, address: request?.address }[of]
  const element = useRender('span', 'transfer-value', props, { of }, { children: value })
  return request && value !== undefined ? element : null
}
