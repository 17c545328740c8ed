'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import { getItemShipment } from '../../../order/shipment.js'
import type { LineItem } from '../../../schema/index.js'
import { useCheckoutItem } from '../RootContext.js'
import { type CheckoutValue, getMessages } from '../value.js'

export declare namespace CheckoutItemTracking {
  /** State of {@link CheckoutItemTracking}. */
  export type State = { carrier: string | undefined }

  /** Props of {@link CheckoutItemTracking}. */
  export type Props = PartProps<'a', CheckoutItemTracking.State>
}

const select = (item: LineItem | undefined, value: CheckoutValue) => {
  const shipment = item && value.order && getItemShipment(value.order, item)
  return { carrier: shipment?.carrier, href: shipment?.trackingUrl, label: getMessages(value).trackParcel }
}

/**
 * Renders an `<a>`. Links to the carrier's page about the parcel that a line item is in. Absent until the shop has
 * shipped it, and without such a page.
 */
export function CheckoutItemTracking(props: CheckoutItemTracking.Props): ReactElement | null {
  const { href, label, ...state } = useCheckoutItem('ItemTracking', select)
  const element = useRender('a', 'item-tracking', props, state, {
    href,
    target: '_blank',
    rel: 'noreferrer',
    children: label,
  })
  return href === undefined ? null : element
}
