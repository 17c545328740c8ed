'use client'

import { type ReactElement, useContext } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import type { LineItem } from '../../../schema/index.js'
import { ItemIndexContext, useCheckoutItem } from '../RootContext.js'
import { CheckoutItemDelivery } from './ItemDelivery.js'
import { CheckoutItemImage } from './ItemImage.js'
import { CheckoutItemName } from './ItemName.js'
import { CheckoutItemPrice } from './ItemPrice.js'
import { CheckoutItemQuantity } from './ItemQuantity.js'
import { getItemStatus, type ItemStatus } from './itemStatus.js'

export declare namespace CheckoutItem {
  /** State of {@link CheckoutItem}. */
  export type State = { status: ItemStatus | undefined }

  /** Props of {@link CheckoutItem}. */
  export type Props = PartProps<'li', CheckoutItem.State> & {
    /** The line item to show. By default the list's current one, or the first outside a list. */
    index?: number | undefined
  }
}

const select = (item: LineItem | undefined): CheckoutItem.State => ({ status: item && getItemStatus(item) })

/** Renders a `<li>`. One line item. The parts inside it show that item. */
export function CheckoutItem({ index, ...props }: CheckoutItem.Props): ReactElement {
  const inherited = useContext(ItemIndexContext)
  const at = index ?? inherited
  const element = useRender('li', 'item', props, useCheckoutItem('Item', select, at), {
    children: (
      <>
        <CheckoutItemImage /> <CheckoutItemName /> <CheckoutItemQuantity /> <CheckoutItemPrice />{' '}
        <CheckoutItemDelivery />
      </>
    ),
  })
  return <ItemIndexContext value={at}>{element}</ItemIndexContext>
}
