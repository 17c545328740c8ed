import type { EvmChainName } from '../../schema/chains.js'
import type { TestChains } from '../chain/createTestChains.js'
import type { TokenLooks } from './mintTokens.js'
import type { StockedCollection } from './testCollection.js'
import type { TestOrder } from './testOrder.js'
import type { TestUserWallet } from './wallets/testUserWallet.js'
import type { WalletTransaction } from './wallets/walletTransaction.js'

/** How long things take by the service's clock. @units milliseconds */
export type Timings = {
  /** From the wallet's answer to the block that the payment is in; of users' wallets, from the approval on. */
  seenMs: number
  /** From its block until a payment, or a wallet's doing, is confirmed; from a refusal until its refund is sent. */
  confirmedMs: number
  /** From the confirmation to the first delivery, and from each to the next. */
  deliveredMs: number
}

/** Why transactions of wallets are to go wrong, by the next ones first. */
export type TransactionFaults = {
  /** When they are tried out, before they are created. */
  refused: (string | undefined)[]
  /** On their chain. */
  failed: (string | undefined)[]
}

/** All that a test service is made of. */
export type TestWorld = {
  now(): number
  chains: TestChains
  enabled: readonly EvmChainName[]
  collections: Map<string, StockedCollection>
  orders: Map<string, TestOrder>
  /** By their ids. */
  wallets: Map<string, TestUserWallet>
  /** What wallets do, by its id, the oldest first. */
  transactions: Map<string, WalletTransaction>
  faults: TransactionFaults
  /** What tokens show of themselves, by their locators. */
  looks: Map<string, TokenLooks>
  timings: Timings
  quoteTtlMs: number
}
