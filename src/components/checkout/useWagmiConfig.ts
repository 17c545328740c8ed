'use client'

import { useContext } from 'react'
import { type Config, WagmiContext } from 'wagmi'

/**
 * Returns the app's wagmi configuration. wagmi's own hook throws without a provider, but a checkout also
 * works without wallets.
 */
export const useWagmiConfig = (): Config | undefined => useContext(WagmiContext)
