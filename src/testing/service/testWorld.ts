import type { OrderEvent } from '../../engine/order/event.js'
import type { OrderState } from '../../engine/order/order.js'
import type { EvmChainName } from '../../schema/chains.js'
import type { TestChains } from '../chain/createTestChains.js'
import type { TokenLooks } from './mintTokens.js'
import type { StockedCollection } from './testCollection.js'
import type { TestUserWallet } from './wallets/wallets.js'
import type { WalletTransaction } from './wallets/walletTransaction.js'

/** Durations by the service's clock. @units milliseconds */
export type Timings = {
  /** From the wallet's answer until the payment is mined; for users' wallets, from the approval. */
  seenMs: number
  /**
   * From the block until a payment or a wallet's transaction is confirmed; from a refusal until its refund is
   * sent.
   */
  confirmedMs: number
  /** From the confirmation to the first delivery, and between deliveries. */
  deliveredMs: number
}

/** The reasons for which the next transactions of wallets fail, in order. */
export type TransactionFaults = {
  /** Faults in the simulation, before creation. */
  refused: (string | undefined)[]
  /** Faults on the chain. */
  failed: (string | undefined)[]
}

/** An order, and what the test service knows of it. */
export type TestOrder = {
  order: OrderState
  clientSecret: string
  /** The events that the order's effects cause later. */
  due: { atMs: number; event: () => OrderEvent }[]
  /** The ids of the payments that the order was told of. */
  seen: Set<string>
  /** The line items whose delivery a test makes fail. */
  failing: Set<number>
}

/** The state of a test service. */
export type TestWorld = {
  now(): number
  chains: TestChains
  enabled: readonly EvmChainName[]
  collections: Map<string, StockedCollection>
  orders: Map<string, TestOrder>
  /** By their ids. */
  wallets: Map<string, TestUserWallet>
  /** Wallets' transactions by their ids, the oldest first. */
  transactions: Map<string, WalletTransaction>
  faults: TransactionFaults
  /** Tokens' metadata by their locators. */
  looks: Map<string, TokenLooks>
  timings: Timings
  quoteTtlMs: number
}
