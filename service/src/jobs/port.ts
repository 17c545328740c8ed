import type { Transaction } from '../db/database.js'

/** What each kind of job is told. A job carries ids only: what it acts on is read when it runs. */
export type JobData = {
  /** The quote of an order has run out, perhaps. */
  'orders.expire': { orderId: string }
  /** Mint one line item to its recipient. */
  'orders.deliver': { orderId: string; lineItemIndex: number }
  /** Send back all or part of one payment. */
  'orders.refund': { orderId: string; refundId: string }
  /** Move what a finished order was paid to the treasury. */
  'orders.sweep': { orderId: string }
  /** Look for payments on a chain now rather than at the next tick. */
  'payments.look': { chain: string }
}

/** A kind of job. */
export type JobName = keyof JobData

/** When a job may run. */
export type JobOptions = {
  /** Not before this moment. */
  startAfter?: Date
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
