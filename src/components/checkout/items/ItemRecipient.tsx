'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import type { LineItem } from '../../../schema/index.js'
import { useCheckoutItem } from '../RootContext.js'
import { shorten } from '../wallet/shorten.js'

export declare namespace CheckoutItemRecipient {
  /** State of {@link CheckoutItemRecipient}. */
  export type State = {
    /** The recipient: an e-mail address, or a full wallet address. */
    recipient: string | undefined
  }

  /** Props of {@link CheckoutItemRecipient}. */
  export type Props = PartProps<'span', CheckoutItemRecipient.State>
}

const select = (item: LineItem | undefined) => {
  const { email, walletAddress } = item?.delivery.recipient ?? {}
  return { recipient: email ?? walletAddress, isAddress: email === undefined }
}

/**
 * Renders a `<span>`. Shows a line item's recipient. A wallet address is shortened, and its `title` has the
 * full address.
 */
export function CheckoutItemRecipient(props: CheckoutItemRecipient.Props): ReactElement | null {
  const { recipient, isAddress } = useCheckoutItem('ItemRecipient', select)
  const element = useRender(
    'span',
    'item-recipient',
    props,
    { recipient },
    isAddress ? { title: recipient, children: recipient && shorten(recipient) } : { children: recipient },
  )
  return recipient ? element : null
}
