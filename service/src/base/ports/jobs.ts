import type { Transaction } from '../db/database.js'

/** What happened to the access to a project. */
export type AccessAlert = {
  kind: 'invitation' | 'key' | 'passkey' | 'role'
  /** Who did it. */
  actor: string
  /** The person, the key or the role. */
  subject: string
}

/** The data of each kind of job. A job carries ids only, and reads what it acts on when it runs. */
export type JobData = {
  /** Expire an order's quote, if it has run out. */
  'orders.expire': { orderId: string }
  /** Refund the parts of a price whose quote has ended, once payments were looked for up to its end. */
  'orders.returnParts': { orderId: string }
  /** Mint one line item to its recipient. */
  'orders.deliver': { orderId: string; lineItemIndex: number }
  /** Refund all or part of one payment. */
  'orders.refund': { orderId: string; refundId: string }
  /** Sweep a recipient's proceeds of a finished order; the treasury's without a recipient. */
  'orders.sweep': { orderId: string; recipient?: string }
  /** Send a payment that its buyer signed, and follow it to its end. */
  'authorizations.settle': { authorizationId: string }
  /** Record a payout that the merchant had requested before the database was restored from a backup. */
  'orders.adoptRefund': { chain: string; reference: string; attempt: number }
  /** Burn a token that has an address of its own, and that a custodial wallet holds. */
  'nfts.burn': { actionId: string; walletId: string; token: string }
  /** Search a chain for payments now rather than at the next tick. */
  'payments.look': { chain: string }
  /** Send unattributed funds to the operator's chosen address. */
  'unattributed.send': { transferId: string }
  /** Deploy a collection's contract. */
  'collections.create': { projectId: string; collectionId: string; actionId: string; attempt: number }
  /** Write an update of a collection to its chain. */
  'collections.update': { actionId: string; attempt: number }
  /** Put a collection's waiting mints into a batch. */
  'nfts.gather': { projectId: string; collectionId: string }
  /** Mint a batch, for the `attempt`th time. */
  'nfts.mint': { projectId: string; collectionId: string; batchId: string; attempt: number }
  /** Write an update of a token to its chain, for the `attempt`th time. */
  'nfts.update': { actionId: string; attempt: number }
  /** Expire a transaction, if the time to approve or send it is over. */
  'transactions.expire': { transactionId: string }
  /** Send a wallet's due transactions on a chain, in the order of their nonces. */
  'transactions.send': { walletId: string; chain: string }
  /** Send one event to one endpoint. */
  'webhooks.send': { eventId: string; endpointId: string; round: number; attempt: number }
  /** Send one e-mail. */
  'mails.send': { mailId: string }
  /**
   * Send a sign-in link to the accounts of an e-mail address. The job is the same for an address without one, so that
   * an answer tells strangers nothing, not even by its time.
   */
  'console.link': { email: string; networkHash?: string }
  /** Send an account the code with which it confirms to be there. */
  'console.code': { accountId: string }
  /** Tell one person by e-mail what happened to the access to a project. The person may be removed meanwhile. */
  'console.alert': AccessAlert & { mailId: string; projectId: string; to: string; at: string }
  /** Pin a file on the deployment's IPFS node. */
  'files.pin': { cid: string }
}

/** A kind of job. */
export type JobName = keyof JobData

/** When a job may run. */
export type JobOptions = {
  /** The earliest time to run. */
  startAfter?: Date
  /** Jobs of a higher priority run before all others of their kind. The default is 0. */
  priority?: number
}

/**
 * The queue of effects. A job is enqueued in the transaction that writes the state asking for it, runs at
 * least once, and is retried until its handler returns. Handlers are idempotent.
 */
export type Jobs = {
  enqueue<Name extends JobName>(
    tx: Transaction,
    name: Name,
    data: JobData[Name],
    options?: JobOptions,
  ): Promise<void>
}

/** Runs one job. A throw means that it is tried again later. */
export type JobHandler<Name extends JobName> = (data: JobData[Name]) => Promise<void>
