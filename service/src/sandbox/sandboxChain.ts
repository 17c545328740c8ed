import type { ChainCurrency } from '../ports/currency.js'

/** A local chain as the sandbox offers it to browsers: a node with a faucet. */
export type SandboxChain = {
  chain: string
  chainId: number
  currencies: readonly ChainCurrency[]
  /** The contracts that take payments. */
  contracts: { router: string; depositFactory: string }
  /** Starts the chain if necessary. */
  rpcUrl(): Promise<string>
  /** Adds a thousand native coins and as many of each test token to an address. */
  fund(address: string): Promise<void>
}
