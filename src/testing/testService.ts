import type { Address, Hex } from 'viem'
import type { Client } from '../api/client.js'
import type { PaymentRules } from '../chain/rules.js'
import type { EvmChainName } from '../schema/chains.js'
import type { Order } from '../schema/order.js'
import type { Wallet } from '../schema/wallet.js'
import type { WalletToken } from '../schema/walletToken.js'
import type { RpcCall } from './chain/createTestChains.js'
import type { MintedToken } from './service/mintTokens.js'
import type { TestPaymentOptions } from './service/payTestOrder.js'
import type { GivenToken } from './service/wallets/giveToken.js'

/** A call that the test service was asked for. It holds no secret. */
export type TestRequest = {
  method: string
  /** Below the base URL. */
  path: string
  /** Undefined where no answer came. */
  status: number | undefined
}

/** Answers as a node of one of the test chains does; of the first one, unless a chain id says otherwise. */
export type TestChain = (call: RpcCall, chainId?: number) => Promise<unknown>

/** A service in memory, its chains, and what a test can make of them. */
export type TestService = {
  baseUrl: string
  fetch: typeof fetch
  /** The service as a browser knows it, with a client key. */
  client: Client
  /** For code of the merchant's server. */
  serverKey: string
  clientKey: string
  /** Where the service takes payments, for the `CheckoutProvider`. */
  rules: Required<Pick<PaymentRules, 'contracts' | 'tokens'>>
  chain: TestChain
  /** The enabled chains, by their names in the interface. */
  chains: readonly EvmChainName[]
  /** The service's clock, in epoch milliseconds. */
  now(): number
  /** Lets time pass for the service and its chains. */
  advance(ms: number): void
  /** Refuses the next calls, or breaks the connection. */
  refuseNext(answer: number | 'unreachable', times?: number): void
  /** From now on nothing of a collection can be sold, nor delivered. */
  sellOut(collectionId: string): void
  /** Makes the delivery of an order fail: of one line item, or of all. */
  failDelivery(orderId: string, item?: number): void
  /** What a collection costs from the next quote on. @units decimal string in the currency of its price */
  setPrice(collectionId: string, price: string): void
  /**
   * Pays an order as if the buyer had, into a block of this moment.
   *
   * @returns The transaction's hash.
   */
  pay(orderId: string, options?: TestPaymentOptions): Hex
  /** What an account, or a user's wallet, has. @units decimal string in whole units of the currency */
  setBalance(account: string, currency: string, amount: string): void
  /** An order as it is now, without a call of the service. */
  getOrder(orderId: string): Order
  /** What opens an order, for a test that starts after it was created. */
  getSecret(orderId: string): string
  /**
   * Mints a token to an address, or to a user such as `email:ada@example.com`, who has it in the wallet that the
   * service keeps for them.
   */
  giveToken(recipient: string, token?: GivenToken): MintedToken
  /** The next transaction of a wallet is refused when it is tried out: it would revert, for this reason or for none. */
  refuseNextTransaction(reason?: string): void
  /** The next transaction of a wallet is created, and reverts on its chain, for this reason or for none. */
  failNextTransaction(reason?: string): void
  /** A wallet, by its address or a locator such as `email:ada@example.com:evm-mpc-wallet`, without a call. */
  getWallet(walletLocator: string): Wallet
  /** What an address or a user holds on a chain, such as `email:ada@example.com:base-sepolia`, without a call. */
  getTokens(identifier: string): WalletToken[]
  /** Whose word the credentials are: the `issuer` for `verifyCredential`. */
  issuer: Address
  /** Every call so far, the oldest first. */
  requests: readonly TestRequest[]
}
