'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import { fill } from '../../../locales/fill.js'
import type { Messages } from '../../../locales/Messages.js'
import { isWaitingForShop } from '../../../order/capture.js'
import { getItemShipment } from '../../../order/shipment.js'
import type { LineItem } from '../../../schema/index.js'
import { toWords } from '../describeCheckout.js'
import { useCheckoutItem } from '../RootContext.js'
import { type CheckoutValue, getMessages } from '../value.js'
import { describeUnavailable } from './describeUnavailable.js'
import { getItemStatus, type ItemStatus } from './itemStatus.js'

export declare namespace CheckoutItemDelivery {
  /** State of {@link CheckoutItemDelivery}. */
  export type State = { status: ItemStatus | undefined; shipped: boolean }

  /** Props of {@link CheckoutItemDelivery}. */
  export type Props = PartProps<'span', CheckoutItemDelivery.State>
}

const sentences: ReadonlyMap<string, keyof Messages> = new Map([
  ['awaiting-payment', 'itemWaiting'],
  ['in-progress', 'itemOnItsWay'],
  ['completed', 'itemDelivered'],
  ['failed', 'itemFailed'],
  ['unavailable', 'itemUnavailable'],
])

const describe = (item: LineItem, value: CheckoutValue): string => {
  const messages = getMessages(value)
  const status = getItemStatus(item)
  const sentence = sentences.get(status)
  const { unavailabilityReason, available } = item.quote
  // Said in the buyer's language, unlike the service's message.
  if (unavailabilityReason?.code === 'supply-insufficient' && available !== undefined) {
    return fill(messages.itemsLeft, { count: available })
  }
  if (status === 'in-progress' && value.order && isWaitingForShop(value.order)) return messages.itemHeld
  const closed = describeUnavailable(item, messages)
  return closed ?? unavailabilityReason?.message ?? (sentence ? messages[sentence] : toWords(status))
}

const select = (item: LineItem | undefined, value: CheckoutValue) => {
  const shipment = item && value.order && getItemShipment(value.order, item)
  return {
    status: item && getItemStatus(item),
    shipped: shipment !== undefined,
    sentence: shipment
      ? fill(getMessages(value).itemShipped, { carrier: shipment.carrier })
      : item && describe(item, value),
  }
}

/** Renders a `<span>`. Shows a line item's delivery status, and with which carrier the shop has shipped it. */
export function CheckoutItemDelivery(props: CheckoutItemDelivery.Props): ReactElement {
  const { sentence, ...state } = useCheckoutItem('ItemDelivery', select)
  return useRender('span', 'item-delivery', props, state, { children: sentence })
}
