'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import type { LineItem } from '../../../schema/index.js'
import { useCheckoutItem } from '../RootContext.js'

/** State of {@link CheckoutItemName}. */
export type CheckoutItemNameState = { name: string | undefined }

/** Props of {@link CheckoutItemName}. */
export type CheckoutItemNameProps = PartProps<'span', CheckoutItemNameState>

const select = (item: LineItem | undefined): CheckoutItemNameState => ({ name: item?.metadata?.name })

/** Renders a `<span>`. Shows a line item's name. */
export function CheckoutItemName(props: CheckoutItemNameProps): ReactElement {
  const state = useCheckoutItem('ItemName', select)
  return useRender('span', 'item-name', props, state, { children: state.name })
}
