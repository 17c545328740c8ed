import type { Address } from 'viem'

/** An ERC-20 token. */
export type Token = {
  address: Address
  /** Digits after the point: base units per whole unit are 10 to this power. */
  decimals: number
}

/** Tokens by the interface's chain name, then by currency in lower case: `{ base: { usdc: { … } } }`. */
export type TokenTable = Readonly<Record<string, Readonly<Record<string, Token>>>>

/**
 * Where a service takes payments. Its operator reads them with `kassa-service contracts`; they are the same on every
 * chain.
 */
export type PaymentContracts = {
  /** Takes the native currency. */
  router: Address
  /** Makes the deposit address that an order is paid at in a token. */
  depositFactory: Address
}

/** What an app knows by itself about payments, so that it need not believe the service. */
export type PaymentRules = {
  /** Tokens in addition to the ones this package knows; an entry replaces the package's own. */
  tokens?: TokenTable | undefined
  /** Where the money must go. Without it the service decides, and whoever takes the service over decides. */
  contracts?: PaymentContracts | undefined
}
