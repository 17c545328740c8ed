'use client'

import { createContext, useContext } from 'react'
import type { DemoProvider } from './demoWallet/provider'
import type { SolanaDemo } from './demoWallet/solana/solanaWallet'
import type { Network } from './networks'
import { createSpeedUps, type SpeedUps } from './speedUps'

/** What the checkout knows about its shop. */
export type CheckoutShop = {
  networks: readonly Network[]
  /** Gateway for `ipfs://` pictures, ending in a slash. */
  imageGateway: string
  /** Address for the sandbox's test funds; undefined outside a sandbox. */
  sandboxUrl: string | undefined
  /** The demo wallet; undefined outside a sandbox. */
  demo: DemoProvider | undefined
  /** The demo wallet on Solana; undefined outside a sandbox that has Solana. */
  solanaDemo: SolanaDemo | undefined
  speedUps: SpeedUps
}

/** Provides the shop to the checkout's components. */
export const CheckoutShopContext = createContext<CheckoutShop>({
  networks: [],
  imageGateway: '',
  sandboxUrl: undefined,
  demo: undefined,
  solanaDemo: undefined,
  speedUps: createSpeedUps(),
})

/** Returns the shop this checkout belongs to. */
export const useCheckoutShop = (): CheckoutShop => useContext(CheckoutShopContext)
