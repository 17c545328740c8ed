import type { Hex } from 'viem'
import type { Database } from '#base/db/database.js'
import type { Log } from '#base/deps.js'
import type { CollectionRef } from '#base/ports/collections.js'
import type { ChainCurrency } from '#base/ports/currency.js'

/** A block tag by which a chain names its final block. */
export type Finality = 'finalized' | 'safe'

/** A chain, its node, and the key that signs for this deployment. */
export type EvmChainOptions = {
  /** The chain's name in the interface. */
  chain: string
  chainId: number
  nativeCurrency: string
  confirmations: number
  /** The chain's own block tag that makes a payment final. Without it, confirmations are counted. */
  finality?: Finality | undefined
  /** Whether payments wait while the node does not know that tag, instead of having confirmations counted. */
  isFinalityRequired?: boolean | undefined
  /**
   * The highest price to offer for a unit of gas, in wei. Without it, the service offers what the chain asks.
   */
  maxFeePerGas: bigint | undefined
  /** Returns the node's URL; called when the chain is first used. */
  rpcUrl(): Promise<string>
  /** The URL of a second node, which is asked for balances and price feeds while the first one fails. */
  fallbackUrl?: string | undefined
  /** Returns where the node at a URL announces its new blocks. Without it, the service polls for them. */
  headsUrl?: ((rpcUrl: string) => string | undefined) | undefined
  /** The key that deploys, mints and refunds, and that holds the treasury. */
  operatorKey: Hex
  /** The tokens that orders can be paid in, or the service's own test tokens. */
  tokens: readonly ChainCurrency[] | 'test-tokens'
  /** The currencies that the deployment takes, if that is configured. A local chain has some tokens only then. */
  taken?: readonly string[] | undefined
  /** Tokens of which balances are shown too, unless `tokens` has one of that name. */
  publishedTokens?: readonly ChainCurrency[] | undefined
  db: Database
  log: Log
  /** How often the service polls for a receipt. */
  pollMs: number
  /** Whether the service runs the node, so that it can give the operator gas. */
  isLocal: boolean
  /** Whether a local node runs by now. */
  isStarted?: (() => boolean) | undefined
  /**
   * Returns why a signed write that is in no block yet is no longer due, given its first key, or `undefined` if
   * it is due. One that is not due is given up instead of being signed again.
   */
  explainUndue?: ((key: string) => Promise<string | undefined>) | undefined
  /** Lists the collections of the chain that the database knows. */
  listCollections?: (() => Promise<readonly CollectionRef[]>) | undefined
  /** Called each time the node does not answer. */
  onAway?: (() => void) | undefined
  /** The clock by which a node that did not know the tag is asked again. The default is the machine's. */
  now?: (() => number) | undefined
  close(): Promise<void>
}
