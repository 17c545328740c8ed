'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import { useTransferPart } from './useTransferPart.js'

export declare namespace CheckoutOpenInWallet {
  /** State of {@link CheckoutOpenInWallet}. */
  export type State = {
    /** The chain by the interface's name. */
    chain: string | undefined
  }

  /** Props of {@link CheckoutOpenInWallet}. */
  export type Props = PartProps<'a', CheckoutOpenInWallet.State>
}

/**
 * Renders an `<a>`. Opens the payment in a wallet of this device, by the address that the QR code shows. Absent
 * while there is nothing to pay by a transfer.
 */
export function CheckoutOpenInWallet(props: CheckoutOpenInWallet.Props): ReactElement | null {
  const { request, chain, messages } = useTransferPart('OpenInWallet')
  const own = { href: request?.uri, children: messages.openInWallet }
  const element = useRender('a', 'open-in-wallet', props, { chain }, own)
  return request ? element : null
}
