'use client'

import { useContext } from 'react'
import { useConfig, WagmiContext } from 'wagmi'
import type { WagmiConfig } from '../../pay/evm/wagmiConfig.js'

/** Returns the app's wagmi configuration; undefined without a provider, because a checkout also works without wallets. */
export const useWagmiConfig = (): WagmiConfig | undefined => useContext(WagmiContext)

/**
 * Returns the app's wagmi configuration.
 *
 * @throws wagmi's `WagmiProviderNotFoundError`.
 */
export const useRequiredWagmiConfig = (): WagmiConfig => useConfig()
