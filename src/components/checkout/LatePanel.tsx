'use client'

import { type ReactElement, useEffect, useId } from 'react'
import { createLateStates } from './createLateStates.js'
import type { CheckoutPanel as WholePanel } from './Panel.js'
import { PanelContent } from './PanelContent.js'
import { CheckoutRoot } from './Root.js'

const { module, states } = createLateStates(() => import('./panelStates.js'))

// A server has no first paint to keep light, and its HTML has all states.
if (typeof window === 'undefined') void module.load()

export declare namespace CheckoutPanel {
  /** State of {@link CheckoutPanel}: that of its `Checkout.Root`. */
  export type State = WholePanel.State

  /** Props of {@link CheckoutPanel}: those of `Checkout.Panel`. */
  export type Props = WholePanel.Props
}

/**
 * Renders a `<section>`. `Checkout.Panel`, whose forms, receipt and transfer load after its first paint. What a server
 * rendered of them stays until then. While they cannot be loaded, the panel says so and tries again.
 *
 * @example
 * ```tsx
 * import { CheckoutPanel } from 'kassa/panel'
 *
 * export const Order = (props: { orderId: string; clientSecret: string }) => <CheckoutPanel {...props} />
 * ```
 */
export function CheckoutPanel({ fallback, ...props }: CheckoutPanel.Props): ReactElement {
  const titleId = useId()
  useEffect(() => module.keepLoading(), [])
  return (
    <CheckoutRoot aria-labelledby={props['aria-label'] ? undefined : titleId} {...props}>
      <PanelContent titleId={titleId} fallback={fallback} states={states} />
    </CheckoutRoot>
  )
}
