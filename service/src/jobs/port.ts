import type { Transaction } from '../db/database.js'

/** What each kind of job is told. A job carries ids only: what it acts on is read when it runs. */
export type JobData = {
  /** The quote of an order has run out, perhaps. */
  'orders.expire': { orderId: string }
  /** Mint one line item to its recipient. */
  'orders.deliver': { orderId: string; lineItemIndex: number }
  /** Send back all or part of one payment. */
  'orders.refund': { orderId: string; refundId: string }
  /** Move what a recipient earned of a finished order; the treasury without one. */
  'orders.sweep': { orderId: string; recipient?: string }
  /** Look for payments on a chain now rather than at the next tick. */
  'payments.look': { chain: string }
  /** Send unattributed funds to where the operator wants them. */
  'unattributed.send': { transferId: string }
  /** Put a collection's contract on its chain. */
  'collections.create': { projectId: string; collectionId: string; actionId: string; attempt: number }
  /** Take a change of a collection to its chain. */
  'collections.update': { actionId: string; attempt: number }
  /** Put a collection's waiting mints into a batch. */
  'nfts.gather': { projectId: string; collectionId: string }
  /** Mint a batch, for the `attempt`th time. */
  'nfts.mint': { projectId: string; collectionId: string; batchId: string; attempt: number }
  /** Take a change of a token to its chain, for the `attempt`th time. */
  'nfts.update': { actionId: string; attempt: number }
  /** The time to approve a transaction, and to send it, is over, perhaps. */
  'transactions.expire': { transactionId: string }
  /** Send what is due of a wallet's transactions on a chain, in the order of their nonces. */
  'transactions.send': { walletId: string; chain: string }
  /** Send one event to one endpoint. */
  'webhooks.send': { eventId: string; endpointId: string; round: number; attempt: number }
  /** Send one e-mail. */
  'mails.send': { mailId: string }
  /** Have the deployment's IPFS node keep a file. */
  'files.pin': { cid: string }
}

/** A kind of job. */
export type JobName = keyof JobData

/** When a job may run. */
export type JobOptions = {
  /** Not before this moment. */
  startAfter?: Date
  /** Jobs of a higher priority run before all others of their kind; 0 without it. */
  priority?: number
}

/**
 * The queue of effects. A job is enqueued in the transaction that writes the state asking for it, runs at
 * least once, and is retried until its handler returns; handlers are idempotent.
 */
export type Jobs = {
  enqueue<Name extends JobName>(
    tx: Transaction,
    name: Name,
    data: JobData[Name],
    options?: JobOptions,
  ): Promise<void>
}

/** Does one job. Throwing means: try again later. */
export type JobHandler<Name extends JobName> = (data: JobData[Name]) => Promise<void>
