import type { EvmChainName } from '../../schema/chains.js'
import type { TestChains } from '../chain/createTestChains.js'
import type { StockedCollection } from './testCollection.js'
import type { TestOrder } from './testOrder.js'

/** How long things take by the service's clock. @units milliseconds */
export type Timings = {
  /** From the wallet's answer to the block that the payment is in. */
  seenMs: number
  /** From its block until a payment is confirmed; from a refusal until its refund is sent. */
  confirmedMs: number
  /** From the confirmation to the first delivery, and from each to the next. */
  deliveredMs: number
}

/** All that a test service is made of. */
export type TestWorld = {
  now(): number
  chains: TestChains
  enabled: readonly EvmChainName[]
  collections: Map<string, StockedCollection>
  orders: Map<string, TestOrder>
  timings: Timings
  quoteTtlMs: number
}
