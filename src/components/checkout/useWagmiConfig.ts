'use client'

import { useContext } from 'react'
import { type Config, WagmiContext } from 'wagmi'

/**
 * The app's configuration of wagmi. Not by wagmi's own hook, which throws where there is none: a checkout can be
 * shown where there is no wallet at all.
 */
export const useWagmiConfig = (): Config | undefined => useContext(WagmiContext)
