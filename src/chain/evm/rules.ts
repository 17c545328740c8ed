import type { Address } from 'viem'

/** An ERC-20 token. */
export type Token = {
  address: Address
  /** Decimals: one whole unit is 10 to this power in base units. */
  decimals: number
}

/** Tokens by the interface's chain name, then by currency in lower case: `{ base: { usdc: { … } } }`. */
export type TokenTable = Readonly<Record<string, Readonly<Record<string, Token>>>>

/**
 * The contracts through which a service takes payments. Its operator prints them with `kassa-service
 * contracts`; they are the same on every chain.
 */
export type PaymentContracts = {
  /** Receives payments in the native currency. */
  router: Address
  /** Creates the deposit address at which an order is paid in a token. */
  depositFactory: Address
}

/** What an app knows about payments independently of the service, so that it need not trust it. */
export type PaymentRules = {
  /** Tokens in addition to those this package knows. An entry replaces the package's own. */
  tokens?: TokenTable | undefined
  /**
   * Where payments must go. Without it the service decides, and so does an attacker who takes the service
   * over.
   */
  contracts?: PaymentContracts | undefined
}
