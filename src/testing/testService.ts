import type { Address, Hex } from 'viem'
import type { Client } from '../api/client.js'
import type { PaymentRules } from '../chain/rules.js'
import type { EvmChainName } from '../schema/chains.js'
import type { Order } from '../schema/order.js'
import type { RpcCall } from './chain/createTestChains.js'
import type { TestPaymentOptions } from './service/payTestOrder.js'

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
  /** What an account has. @units decimal string in whole units of the currency */
  setBalance(account: Address, currency: string, amount: string): void
  /** An order as it is now, without a call of the service. */
  getOrder(orderId: string): Order
  /** What opens an order, for a test that starts after it was created. */
  getSecret(orderId: string): string
  /** Every call so far, the oldest first. */
  requests: readonly TestRequest[]
}
