'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import type { LineItem } from '../../../schema/index.js'
import { useCheckoutItem } from '../RootContext.js'

/** State of {@link CheckoutItemDescription}; it has none. */
export type CheckoutItemDescriptionState = Readonly<Record<never, never>>

/** Props of {@link CheckoutItemDescription}. */
export type CheckoutItemDescriptionProps = PartProps<'p', CheckoutItemDescriptionState>

const select = (item: LineItem | undefined) => ({ description: item?.metadata?.description })

/** Renders a `<p>`. Shows a line item's description from the merchant. Absent if there is none. */
export function CheckoutItemDescription(props: CheckoutItemDescriptionProps): ReactElement | null {
  const { description } = useCheckoutItem('ItemDescription', select)
  const element = useRender('p', 'item-description', props, {}, { children: description })
  return description ? element : null
}
