import type { Address } from 'viem'
import type { Client } from '../api/client.js'
import type { PaymentRules } from '../chain/evm/rules.js'
import type { Order } from '../schema/order.js'
import type { Wallet } from '../schema/wallet.js'
import type { WalletToken } from '../schema/walletToken.js'
import type { RpcCall } from './evm/answerNode.js'
import type { TestChainName } from './network.js'
import type { MintedSolanaToken, MintedToken } from './service/mintTokens.js'
import type { TestPaymentOptions } from './service/payment.js'
import type { GivenSolanaToken, GivenToken } from './service/wallets/giveToken.js'
import type { TestSolanaParameters } from './solana/openSolanaNode.js'

/** A call that the test service received. It contains no secret. */
export type TestRequest = {
  method: string
  /** Relative to the base URL. */
  path: string
  /** Undefined if no answer arrived. */
  status: number | undefined
}

/** Answers as a node of one of the test chains, by default of the first one. */
export type TestChain = (call: RpcCall, chainId?: number) => Promise<unknown>

/** A service in memory, its chains, and the controls for a test. */
export type TestService = {
  baseUrl: string
  fetch: typeof fetch
  /** A browser's client of the service, with a client key. */
  client: Client
  /** The key for the merchant's server code. */
  serverKey: string
  clientKey: string
  /** The service's payment rules for the `CheckoutProvider`. */
  rules: Required<Pick<PaymentRules, 'contracts' | 'tokens'>>
  chain: TestChain
  /**
   * The parameters of `solana` of `kassa/solana`, for payments on the service's Solana cluster:
   * `solana(service.solana)`. They contain a `fetch` that answers as a node of it, without a network.
   */
  solana: TestSolanaParameters
  /** The enabled chains by the interface's names. */
  chains: readonly TestChainName[]
  /** The service's clock, in epoch milliseconds. */
  now(): number
  /** Advances the time of the service and its chains. */
  advance(ms: number): void
  /** Refuses the next calls, or breaks the connection. */
  refuseNext(answer: number | 'unreachable', times?: number): void
  /** Makes a collection sold out: from now on none of it can be sold or delivered. */
  sellOut(collectionId: string): void
  /** Makes the delivery of an order fail: of one line item, or of all. */
  failDelivery(orderId: string, item?: number): void
  /** Sets a collection's price from the next quote on. @units decimal string in the currency of its price */
  setPrice(collectionId: string, price: string): void
  /**
   * Pays an order as the buyer would, in a block at the current time.
   *
   * @returns The transaction hash, or on Solana the signature.
   */
  pay(orderId: string, options?: TestPaymentOptions): string
  /**
   * Sets the balance of an account or a user's wallet. @units decimal string in whole units of the currency
   */
  setBalance(account: string, currency: string, amount: string): void
  /** Returns an order's current state without a call to the service. */
  getOrder(orderId: string): Order
  /** Returns an order's secret, for a test that starts after it was created. */
  getSecret(orderId: string): string
  /**
   * Mints a token to an address, or to a user such as `email:ada@example.com`, into the wallet that the
   * service keeps for them. With `chain: 'solana'` it is of a collection on Solana.
   */
  giveToken(recipient: string, token: GivenSolanaToken): MintedSolanaToken
  giveToken(recipient: string, token?: GivenToken): MintedToken
  /**
   * Makes the simulation of a wallet's next transaction revert, with this reason or none, so that it is
   * refused.
   */
  refuseNextTransaction(reason?: string): void
  /**
   * Makes a wallet's next transaction revert on its chain, with this reason or none, after it was created.
   */
  failNextTransaction(reason?: string): void
  /**
   * Returns a wallet by its address or a locator such as `email:ada@example.com:evm-mpc-wallet`, without a
   * call.
   */
  getWallet(walletLocator: string): Wallet
  /**
   * Returns the tokens of an address or a user on a chain, such as `email:ada@example.com:base-sepolia`,
   * without a call.
   */
  getTokens(identifier: string): WalletToken[]
  /** The issuer of its credentials, for `verifyCredential`. */
  issuer: Address
  /** Every call so far, the oldest first. */
  requests: readonly TestRequest[]
}
