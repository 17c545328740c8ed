'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import type { LineItem } from '../../../schema/index.js'
import { useCheckoutItem } from '../RootContext.js'

export declare namespace CheckoutItemDescription {
  /** State of {@link CheckoutItemDescription}; it has none. */
  export type State = Readonly<Record<never, never>>

  /** Props of {@link CheckoutItemDescription}. */
  export type Props = PartProps<'p', CheckoutItemDescription.State>
}

const select = (item: LineItem | undefined) => ({ description: item?.metadata?.description })

/** Renders a `<p>`. Shows a line item's description from the merchant. Absent if there is none. */
export function CheckoutItemDescription(props: CheckoutItemDescription.Props): ReactElement | null {
  const { description } = useCheckoutItem('ItemDescription', select)
  const element = useRender('p', 'item-description', props, {}, { children: description })
  return description ? element : null
}
