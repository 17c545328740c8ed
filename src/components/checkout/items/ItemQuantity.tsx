'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import type { LineItem } from '../../../schema/index.js'
import { useCheckoutItem } from '../RootContext.js'

/** State of {@link CheckoutItemQuantity}. */
export type CheckoutItemQuantityState = { quantity: number | undefined }

/** Props of {@link CheckoutItemQuantity}. */
export type CheckoutItemQuantityProps = PartProps<'span', CheckoutItemQuantityState>

const select = (item: LineItem | undefined): CheckoutItemQuantityState => ({ quantity: item?.quantity })

/** Renders a `<span>`. Shows a line item's quantity. */
export function CheckoutItemQuantity(props: CheckoutItemQuantityProps): ReactElement {
  const state = useCheckoutItem('ItemQuantity', select)
  return useRender('span', 'item-quantity', props, state, {
    children: state.quantity !== undefined && `×\u00a0${state.quantity}`,
  })
}
