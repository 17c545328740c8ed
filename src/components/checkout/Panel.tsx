'use client'

import { type ReactElement, type ReactNode, useId } from 'react'
import { PanelContent } from './PanelContent.js'
import * as panelStates from './panelStates.js'
import { CheckoutRoot } from './Root.js'

type WithoutChildren<Props> = Props extends unknown ? Omit<Props, 'children'> : never

export declare namespace CheckoutPanel {
  /** State of {@link CheckoutPanel}: that of its `Checkout.Root`. */
  export type State = CheckoutRoot.State

  /** Props of {@link CheckoutPanel}: those of `Checkout.Root`, without its children. */
  export type Props = WithoutChildren<CheckoutRoot.Props> & {
    /**
     * What the buyer can do when nothing in the order can be bought, such as a link back to the shop or a button that
     * orders the number that is left. It stands below the sentence that says why.
     */
    fallback?: ReactNode
  }
}

/**
 * Renders a `<section>`. A whole checkout in one line: every part, shown where and when a buyer needs it.
 * Place it inside wagmi's provider. `kassa/theme.css` styles it.
 *
 * Buyers can change whom the order is for, as the client secret allows them to. To fix the recipient, refuse that
 * change on your server (`editOrder` of `createCheckoutHandler`), and compose the parts without its form.
 *
 * @example
 * ```tsx
 * import { Checkout } from 'kassa'
 *
 * export const Order = (props: { orderId: string; clientSecret: string }) => <Checkout.Panel {...props} />
 * ```
 */
export function CheckoutPanel({ fallback, ...props }: CheckoutPanel.Props): ReactElement {
  const titleId = useId()
  return (
    <CheckoutRoot aria-labelledby={props['aria-label'] ? undefined : titleId} {...props}>
      <PanelContent titleId={titleId} fallback={fallback} states={panelStates} />
    </CheckoutRoot>
  )
}
