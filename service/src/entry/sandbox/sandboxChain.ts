import type { Amount } from 'kassa/schema'
import type { ChainCurrency } from '#base/ports/currency.js'

/** Where an EVM chain takes payments. */
type EvmRules = {
  chainId: number
  /** The contracts that take payments. */
  contracts: { router: string; depositFactory: string }
}

/** Where Solana takes payments. */
type SolanaRules = {
  /** The address from which the account of every order follows. */
  operator: string
}

/** A local chain as the sandbox offers it to browsers: a node with a faucet. */
export type SandboxChain = (EvmRules | SolanaRules) & {
  chain: string
  currencies: readonly ChainCurrency[]
  /** Returns an address in the chain's spelling, or `undefined` if the text is none. */
  parseAddress(text: string): string | undefined
  /** Starts the chain if necessary. */
  rpcUrl(): Promise<string>
  /** Adds a thousand native coins and as many of each test token to an address, or more of the one it needs. */
  fund(address: string, least?: Amount): Promise<void>
}
