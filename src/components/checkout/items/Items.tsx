'use client'

import type { ReactElement, ReactNode } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import type { LineItem } from '../../../schema/index.js'
import { ItemIndexContext, useCheckout, useCheckoutItem } from '../RootContext.js'
import type { CheckoutValue } from '../value.js'
import { CheckoutItem } from './Item.js'

export declare namespace CheckoutItems {
  /** State of {@link CheckoutItems}. */
  export type State = { count: number }

  /** What to render for each line item: a template, or a function of the item. */
  export type Template = ReactNode | ((item: LineItem, index: number) => ReactNode)

  /** Props of {@link CheckoutItems}. */
  export type Props = Omit<PartProps<'ul', CheckoutItems.State>, 'children'> & {
    /** What to render for each line item instead of a plain `Checkout.Item`. */
    children?: CheckoutItems.Template
  }
}

const select = ({ order }: CheckoutValue): CheckoutItems.State => ({ count: order?.lineItems.length ?? 0 })

/**
 * Renders a `<ul>`. Lists the order's line items.
 *
 * @example
 * ```tsx
 * import { Checkout } from 'kassa'
 *
 * export const Lines = () => (
 *   <Checkout.Items>
 *     <Checkout.Item>
 *       <Checkout.ItemImage />
 *       <Checkout.ItemName />
 *       <Checkout.ItemPrice />
 *     </Checkout.Item>
 *   </Checkout.Items>
 * )
 * ```
 */
export function CheckoutItems({ children: template, ...props }: CheckoutItems.Props): ReactElement {
  const state = useCheckout('Items', select)
  // The index is the key, because a line item has no id.
  return useRender('ul', 'items', props, state, {
    // Some screen readers ignore a list without list markers, unless it has the role.
    role: 'list',
    children: Array.from({ length: state.count }, (_, index) => (
      <ItemIndexContext key={index} value={index}>
        {typeof template === 'function' ? (
          <ItemOf index={index} template={template} />
        ) : (
          (template ?? <CheckoutItem />)
        )}
      </ItemIndexContext>
    )),
  })
}

const selectItem = (item: LineItem | undefined) => ({ item })

function ItemOf({ index, template }: { index: number; template(item: LineItem, index: number): ReactNode }) {
  const { item } = useCheckoutItem('Items', selectItem)
  return item && template(item, index)
}
