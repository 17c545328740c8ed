export type { Config as WagmiConfig } from 'wagmi'
