import type { ChainCurrency } from '../chains/port.js'

/** A local chain as the sandbox offers it to browsers: a node, and free money on it. */
export type SandboxChain = {
  chain: string
  chainId: number
  currencies: readonly ChainCurrency[]
  /** Where payments go. */
  contracts: { router: string; depositFactory: string }
  /** Starts the chain where necessary. */
  rpcUrl(): Promise<string>
  /** Adds a thousand native coins and as many of each test token to what an address holds. */
  fund(address: string): Promise<void>
}
