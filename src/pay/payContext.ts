import type { QueryClient } from '@tanstack/react-query'
import type { Client } from '../api/index.js'
import type {
  CheckedPayment,
  CheckedSolanaPayment,
  PaymentAttemptStore,
  PaymentRules,
} from '../chain/index.js'
import type { PayStep } from '../engine/payment/payStep.js'
import type { OrderParameters } from '../query/order.js'
import type { Order } from '../schema/index.js'
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

/** The dependencies of paying one order. */
export type PayContext = OrderParameters & {
  config: WagmiConfig
  client: Client
  queryClient: QueryClient
  attemptStore: PaymentAttemptStore
  /** What the app knows of tokens and of where payments must go. */
  rules?: PaymentRules | undefined
  /** How the app pays on Solana; undefined in an app that does not. */
  solana?: SolanaPayments | undefined
  onBeforePay?: BeforePay | undefined
  onEvent?: ((event: CheckoutEvent) => void) | undefined
  /** The browser's locks, which keep two tabs from paying one order at once; undefined where unsupported. */
  locks?: Locks | undefined
  /** How long a wallet may stay silent before the buyer is offered a choice. By default a minute. */
  silenceMs?: number | undefined
  /** The clock, in epoch milliseconds. */
  now(): number
  setStep(step: PayStep): void
  /** Receives an answer of the wallet after the wait for it has ended. */
  onLateAnswer(error?: unknown): void
}

/** What a payment needs from the component that shows it. */
export type PaymentParameters = Omit<PayContext, 'setStep' | 'onLateAnswer'>
