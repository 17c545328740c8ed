'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import type { Messages } from '../../../locales/Messages.js'
import type { LineItem } from '../../../schema/index.js'
import { toWords } from '../describeCheckout.js'
import { useCheckoutItem } from '../RootContext.js'
import { type CheckoutValue, getMessages } from '../value.js'
import { getItemStatus, type ItemStatus } from './itemStatus.js'

export declare namespace CheckoutItemDelivery {
  /** State of {@link CheckoutItemDelivery}. */
  export type State = { status: ItemStatus | undefined }

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

const describe = (item: LineItem, messages: Messages): string => {
  const status = getItemStatus(item)
  const sentence = sentences.get(status)
  return item.quote.unavailabilityReason?.message ?? (sentence ? messages[sentence] : toWords(status))
}

const select = (item: LineItem | undefined, value: CheckoutValue) => ({
  status: item && getItemStatus(item),
  sentence: item && describe(item, getMessages(value)),
})

/** Renders a `<span>`. Shows a line item's delivery status. */
export function CheckoutItemDelivery(props: CheckoutItemDelivery.Props): ReactElement {
  const { sentence, ...state } = useCheckoutItem('ItemDelivery', select)
  return useRender('span', 'item-delivery', props, state, { children: sentence })
}
