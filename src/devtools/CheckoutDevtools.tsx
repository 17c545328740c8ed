'use client'

import { useContext, useEffect, useState } from 'react'
import { WagmiContext } from 'wagmi'
import { getConnection } from 'wagmi/actions'
import { type OpenRoot, openRoot } from './openRoot.js'
import { Panel, type PanelProps } from './panel/Panel.js'
import { useDevtools } from './useCheckoutDevtools.js'

/** Props of {@link CheckoutDevtools}. */
export type CheckoutDevtoolsProps = {
  /** The order it is about; every order of the page by default. */
  orderId?: string | undefined
  /** Where its button is: at the bottom right by default. */
  corner?: PanelProps['corner'] | undefined
  /** The system's by default. */
  theme?: PanelProps['theme']
  /** Whether it is open to begin with: no by default. */
  isOpen?: boolean | undefined
}

/**
 * Renders no element where it stands. Opens a panel in a corner of the page with all that happens in the checkout
 * around it: the order's timeline, each request and its cost, the payment and what was checked before signing; on a
 * sandbox it shows the order in any state.
 *
 * @throws {@link KassaError} `config.provider-missing`.
 * @example
 * ```tsx
 * import type { ReactNode } from 'react'
 * import { type Client, CheckoutProvider } from 'kassa'
 * import { CheckoutDevtools } from 'kassa/devtools'
 *
 * export const Shop = (props: { client: Client; children: ReactNode }) => (
 *   <CheckoutProvider client={props.client}>
 *     {props.children}
 *     <CheckoutDevtools />
 *   </CheckoutProvider>
 * )
 * ```
 */
export const CheckoutDevtools = (props: CheckoutDevtoolsProps): null => {
  const { orderId, corner = 'bottom-right', theme, isOpen = false } = props
  const devtools = useDevtools()
  const config = useContext(WagmiContext)
  const [opened, setOpened] = useState<OpenRoot>()
  // Here as well, because the first read of the order has begun before the panel is drawn.
  useEffect(() => devtools.subscribe(() => undefined), [devtools])
  useEffect(() => {
    const own = openRoot()
    setOpened(own)
    return own.close
  }, [])
  useEffect(() => {
    opened?.root.render(
      <Panel
        devtools={devtools}
        orderId={orderId}
        corner={corner}
        theme={theme}
        isOpen={isOpen}
        getAccount={() => config && getConnection(config).address}
      />,
    )
  }, [opened, devtools, orderId, corner, theme, isOpen, config])
  return null
}
