'use client'

import { createContext, useContext } from 'react'
import type { DemoProvider } from './demoWallet/provider'
import type { Network } from './networks'
import { createSpeedUps, type SpeedUps } from './speedUps'

/** What the checkout knows of the shop it belongs to. */
export type CheckoutShop = {
  networks: readonly Network[]
  /** Where `ipfs://` pictures are read from, ending in a slash. */
  imageGateway: string
  /** Where the sandbox gives test funds; undefined outside a sandbox. */
  sandboxUrl: string | undefined
  /** The demo wallet; undefined outside a sandbox. */
  demo: DemoProvider | undefined
  speedUps: SpeedUps
}

/** Hands the shop to the checkout's components. */
export const CheckoutShopContext = createContext<CheckoutShop>({
  networks: [],
  imageGateway: '',
  sandboxUrl: undefined,
  demo: undefined,
  speedUps: createSpeedUps(),
})

/** The shop this checkout belongs to. */
export const useCheckoutShop = (): CheckoutShop => useContext(CheckoutShopContext)
