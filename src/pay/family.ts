import type {
  AttemptedAuthorization,
  CheckedPayment,
  CheckedSolanaPayment,
  PaymentAttempt,
} from '../chain/index.js'
import type { TransferRequest } from '../chain/transferRequest.js'
import type { PayStep } from '../engine/payment/payStep.js'
import type { KassaError } from '../errors/index.js'
import type { Order } from '../schema/index.js'
import type { CheckedFacts } from './event.js'
import type { Wait } from './wait.js'

/** An attempt whose transaction is known. */
export type SentAttempt = PaymentAttempt & { txId: string }

/** What is known of an attempt without a transaction, or with one that the network does not know. */
export type Finding = {
  /** The payment's transaction, in a block or pending; undefined when none was found. */
  txId: string | undefined
  /** Whether any transaction of the payer is pending. */
  hasOpenTransaction: boolean
  /** Whether the payment is proved never to come: the network accepts what the wallet was asked for no longer. */
  isOver?: boolean | undefined
}

/** A wallet's answer: the transaction, and what the attempt keeps of it. */
export type Answer = {
  txId: string
  callsId?: string | undefined
  signedTransaction?: string | undefined
  authorization?: AttemptedAuthorization | undefined
}

/** Receives the progress of a sent payment. */
export type FollowListener = {
  /** Called when the same payment has another transaction, or more is known about it. */
  onMoved(attempt: SentAttempt, isRepriced: boolean): void
  /** Called when a node knows it. */
  onKnown(): void
}

/** The wallet that will be asked, on the right account and chain. */
export type PaymentWallet = {
  /** Creates the attempt to store before asking. */
  createAttempt(fields: Pick<PaymentAttempt, 'id' | 'orderId' | 'attemptedAtMs'>): PaymentAttempt
  /**
   * Opens the wallet without asking it anything.
   *
   * @returns A function that asks it once to sign and send the payment. A wallet that only signs may answer late.
   * Its transaction is sent only if `isWanted` still returns true.
   * @throws {@link KassaError} when the wallet cannot be asked.
   */
  open(): Promise<(isWanted: () => boolean) => Promise<Answer>>
  /** Returns the error of a wallet that certainly did not send; undefined if it may have sent. */
  readRefusal(cause: unknown): KassaError | undefined
}

/** A payment that the payer can afford and the network would accept. */
export type PreparedPayment = {
  facts: CheckedFacts
  /**
   * Reads and checks the wallet right before it is asked.
   *
   * @throws {@link KassaError} `pay.not-connected`, `pay.wrong-account`, `pay.wrong-chain`.
   */
  getWallet(): Promise<PaymentWallet>
}

/** An order's transaction that passed every check against the order. */
export type CheckedOrder = {
  payment: CheckedPayment | CheckedSolanaPayment
  /** Equal for two orders that ask the wallet for the same. */
  identity: string
  /** Equal for two orders that pay the same, even if until another time. */
  terms: string
  /**
   * Prepares the wallet for the payment, and simulates it.
   *
   * @throws {@link KassaError} any `pay.*` code of a wallet, an account or a simulation.
   */
  prepare(setStep: (step: PayStep) => void): Promise<PreparedPayment>
}

/** What paying takes on one family of chains. Everything else about a payment is the same on all. */
export type PaymentFamily = {
  /**
   * Checks the transaction that an order asks the buyer to sign.
   *
   * @throws {@link KassaError} for every way in which it is not the payment of this order.
   */
  check(order: Order): CheckedOrder
  /**
   * Returns the request for a payment of an order from a wallet that is not connected to the page, after the same
   * checks. Undefined where a transfer could not be attributed to the order.
   *
   * @throws {@link KassaError} as `check` does.
   */
  request(order: Order): TransferRequest | undefined
  /** Whether the app has a connection to an attempt's chain. */
  canReach(attempt: PaymentAttempt): boolean
  /**
   * Searches an attempt's transaction.
   *
   * @throws the node's error when it is unavailable.
   */
  find(attempt: PaymentAttempt): Promise<Finding>
  /**
   * Follows a sent transaction until the payment is in a block.
   *
   * @returns Its transaction. Rejects with `pay.reverted`, `pay.cancelled`, `pay.replaced`, `pay.expired`,
   * `pay.dropped` or `pay.uncertain`.
   */
  follow(attempt: SentAttempt, listener: FollowListener): Wait<string>
  /** Whether a transaction that was in a block is in none any more. Rejects when the node is unavailable. */
  isGone(attempt: PaymentAttempt, txId: string): Promise<boolean>
  /** Whether a wallet can send a pending payment again for a higher fee, under another hash. */
  hasSpeedUp: boolean
  /** How often the chain is read. */
  pollMs(attempt: PaymentAttempt): number
}
