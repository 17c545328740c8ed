'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import type { LineItem } from '../../../schema/index.js'
import { useCheckoutItem } from '../RootContext.js'

export declare namespace CheckoutItemName {
  /** State of {@link CheckoutItemName}. */
  export type State = { name: string | undefined }

  /** Props of {@link CheckoutItemName}. */
  export type Props = PartProps<'span', CheckoutItemName.State>
}

const select = (item: LineItem | undefined): CheckoutItemName.State => ({ name: item?.metadata?.name })

/** Renders a `<span>`. Shows a line item's name. */
export function CheckoutItemName(props: CheckoutItemName.Props): ReactElement {
  const state = useCheckoutItem('ItemName', select)
  return useRender('span', 'item-name', props, state, { children: state.name })
}
