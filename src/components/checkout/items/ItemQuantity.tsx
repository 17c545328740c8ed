'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import type { LineItem } from '../../../schema/index.js'
import { useCheckoutItem } from '../RootContext.js'

export declare namespace CheckoutItemQuantity {
  /** State of {@link CheckoutItemQuantity}. */
  export type State = { quantity: number | undefined }

  /** Props of {@link CheckoutItemQuantity}. */
  export type Props = PartProps<'span', CheckoutItemQuantity.State>
}

const select = (item: LineItem | undefined): CheckoutItemQuantity.State => ({ quantity: item?.quantity })

/** Renders a `<span>`. Shows a line item's quantity. */
export function CheckoutItemQuantity(props: CheckoutItemQuantity.Props): ReactElement {
  const state = useCheckoutItem('ItemQuantity', select)
  return useRender('span', 'item-quantity', props, state, {
    children: state.quantity !== undefined && `×\u00a0${state.quantity}`,
  })
}
