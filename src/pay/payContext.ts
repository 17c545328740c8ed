import type { QueryClient } from '@tanstack/react-query'
import type { Client } from '../api/index.js'
import type {
  CheckedPayment,
  CheckedSolanaPayment,
  PaymentAttemptStore,
  PaymentRules,
} from '../chain/index.js'
import type { AttemptEffect, AttemptEvent } from '../engine/payment/attempt.js'
import type { PayStep } from '../engine/payment/payStep.js'
import type { OrderParameters } from '../query/order.js'
import type { Authorization, CreateAuthorizationBody, Order } from '../schema/index.js'
import type { CheckoutEvent } from './event.js'
import type { WagmiConfig } from './evm/wagmiConfig.js'
import type { SolanaPayments } from './solanaPayments.js'

/** The part of the Web Locks API that a payment needs. */
export type Locks = Pick<LockManager, 'request'>

export type { SentAttempt } from './family.js'

/** A payment that passed every check of this package, as an app's own check receives it. */
export type PaymentToApprove = (CheckedPayment | CheckedSolanaPayment) & { order: Order }

/**
 * The result of an app's own check. False or a sentence for the buyer stops the payment; anything else allows
 * it.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a check that returns nothing is what most apps write.
export type Verdict = boolean | string | undefined | void

/** An app's own check, the last one before the wallet is asked. An error it throws also stops the payment. */
export type BeforePay = (payment: PaymentToApprove) => Verdict | Promise<Verdict>

/** What reads and changes one order at the service. */
export type OrderAccess = OrderParameters & { client: Client; queryClient: QueryClient }

/** What reads the chains that payments are on. */
export type ChainAccess = {
  config: WagmiConfig
  /** What the app knows of tokens and of where payments must go. */
  rules?: PaymentRules | undefined
  /** How the app pays on Solana; undefined in an app that does not. */
  solana?: SolanaPayments | undefined
  /** The clock, in epoch milliseconds. */
  now(): number
}

/** What a family of chains needs: the chains, and the service if a payment is sent by it. */
export type FamilyAccess = ChainAccess & Partial<Pick<OrderAccess, 'client' | 'clientSecret'>>

/** What a payment needs that its payer signs and the service sends. */
export type AuthorizationAccess = ChainAccess & {
  /** Hands what was signed to the service; undefined where nothing of the service is known. */
  post?: ((orderId: string, body: CreateAuthorizationBody) => Promise<Authorization>) | undefined
}

/** What a payment needs from the component that shows it. */
export type PaymentParameters = OrderAccess &
  ChainAccess & {
    attemptStore: PaymentAttemptStore
    onBeforePay?: BeforePay | undefined
    onEvent?: ((event: CheckoutEvent) => void) | undefined
    /** The browser's locks, which keep two tabs from paying one order at once; undefined where unsupported. */
    locks?: Locks | undefined
    /** How long a wallet may stay silent before the buyer is offered a choice. By default a minute. */
    silenceMs?: number | undefined
  }

/** What a task of a payment has: it resumes an attempt, or pays. */
export type TaskContext = PaymentParameters & { setStep(step: PayStep): void }

/** What paying has beyond resuming: it may ask the wallet, as the payment's state machine decides. */
export type PayContext = TaskContext & {
  /** Tells the state machine what has happened, and returns what to do next; undefined to ask the wallet nothing. */
  decide(event: AttemptEvent): AttemptEffect | undefined
  /** Receives an answer of the wallet after the wait for it has ended. */
  onLateAnswer(error?: unknown): void
}
