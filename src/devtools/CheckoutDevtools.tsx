'use client'

import { useEffect, useState } from 'react'
import { getEvmAddress } from '../hooks/evm/account.js'
import { useWagmiConfig } from '../hooks/evm/wagmiConfig.js'
import { type OpenRoot, openRoot } from './openRoot.js'
import type { PanelProps } from './panel/OpenPanel.js'
import { Panel } from './panel/Panel.js'
import { useDevtools } from './useCheckoutDevtools.js'

/** Props of {@link CheckoutDevtools}. */
export type CheckoutDevtoolsProps = {
  /** The order to show. By default every order of the page. */
  orderId?: string | undefined
  /** The corner of its button. By default the bottom right. */
  corner?: PanelProps['corner'] | undefined
  /** The side of the page that it is docked to. By default the bottom. */
  side?: PanelProps['side'] | undefined
  /** The color theme. By default the system's. */
  theme?: PanelProps['theme']
  /** Whether it is open on a first visit. By default it is closed. Later visits find it as it was left. */
  isOpen?: boolean | undefined
}

/**
 * Renders no element in its place. Opens a panel beside the page with everything that happens in the surrounding
 * checkout: the order's timeline, each request and its cost, the payment and the checks before signing. On a
 * sandbox it can show the order in any state.
 *
 * The panel pads the page at its side, so it covers nothing. On a narrow page it stands at the end. Its size and
 * whether it is open stay in localStorage. Import it during development only, because a bundler keeps it
 * otherwise.
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
  const { orderId, corner = 'bottom-right', side = 'bottom', theme, isOpen = false } = props
  const devtools = useDevtools()
  const config = useWagmiConfig()
  const [opened, setOpened] = useState<OpenRoot>()
  // Subscribed here as well, because the order's first read starts before the panel renders.
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
        side={side}
        theme={theme}
        isOpen={isOpen}
        getAccount={() => getEvmAddress(config)}
      />,
    )
  }, [opened, devtools, orderId, corner, side, theme, isOpen, config])
  return null
}
