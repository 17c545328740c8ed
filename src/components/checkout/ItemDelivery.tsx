'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../internal/render.js'
import type { LineItem } from '../../schema/index.js'
import { getItemStatus, type ItemStatus } from './itemStatus.js'
import { messages, toWords } from './messages.js'
import { useCheckoutItem } from './RootContext.js'

/** State of {@link CheckoutItemDelivery}. */
export type CheckoutItemDeliveryState = { status: ItemStatus | undefined }

/** Props of {@link CheckoutItemDelivery}. */
export type CheckoutItemDeliveryProps = PartProps<'span', CheckoutItemDeliveryState>

const sentences: Readonly<Record<string, string>> = {
  ...messages.delivery,
  unavailable: messages.unavailableItem,
}

const describe = (item: LineItem): string => {
  const status = getItemStatus(item)
  const sentence = Object.hasOwn(sentences, status) ? sentences[status] : undefined
  return item.quote.unavailabilityReason?.message ?? sentence ?? toWords(status)
}

const select = (item: LineItem | undefined) => ({
  status: item && getItemStatus(item),
  sentence: item && describe(item),
})

/** Renders a `<span>`. How far a line item is on its way. */
export function CheckoutItemDelivery(props: CheckoutItemDeliveryProps): ReactElement {
  const { sentence, ...state } = useCheckoutItem('ItemDelivery', select)
  return useRender('span', props, state, { children: sentence })
}
