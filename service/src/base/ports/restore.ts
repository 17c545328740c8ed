import type { Transaction } from '../db/database.js'
import type { CollectionRef } from './collections.js'

/** A refund, a sweep or another payout. @units base units of `currency` */
export type FoundPayOut = {
  kind: 'pay-out'
  /** What the chain knows it by: one of {@link RestorePort.referencesOf} its key. */
  reference: string
  txId: string
  /** {@link RestorePort.orderReferenceOf} the order that held the money, or the key of a refund by the treasury. */
  orderReference: string
  currency: string
  units: bigint
  recipient: string
}

/** A minted token. */
export type FoundMint = {
  kind: 'mint'
  /** What the chain knows it by: one of {@link RestorePort.referencesOf} its mint key. */
  reference: string
  txId: string
  contractAddress: string
  tokenId: bigint
  recipient: string
  /** One of {@link RestorePort.referencesOf} the key of the template that it counts for, if it counts for one. */
  template?: string
}

/** A write to a chain that the database does not know. */
export type FoundWrite = FoundPayOut | FoundMint

/** A payment whose order the chain names by a reference. @units base units of `currency` */
export type FoundPayment = {
  txId: string
  orderReference: string
  payer: string
  currency: string
  units: bigint
}

/** What the operator's key has done on a chain since the newest write that the database knows. */
export type FoundWrites = {
  writes: FoundWrite[]
  /** Transactions to the service's contracts that are neither: a new collection, an update. */
  others: string[]
  /** Payments since then. Those of orders that the database knows are found by the service itself. */
  payments: FoundPayment[]
  /** Up to where this is all: see {@link RestorePort.accept}. */
  mark: string
}

/** Finds what a chain has and a database that was restored from a backup lacks. */
export type RestorePort = {
  /** Returns what the chain may know a payout or a mint by, all attempts at it included. */
  referencesOf(key: string): string[]
  /** Returns what the chain knows an order by, or the place of a refund by the treasury. */
  orderReferenceOf(orderId: string): string
  /**
   * Reads what the operator's key has written that the database does not know, without changing anything.
   *
   * @throws {ServiceError} `chain-unavailable`.
   */
  find(collections: readonly CollectionRef[]): Promise<FoundWrites>
  /** Records that everything up to the mark is known, in the transaction that records what was found. */
  accept(tx: Transaction, found: FoundWrites): Promise<void>
}
