import type { QueryClient } from '@tanstack/react-query'
import type { Config } from 'wagmi'
import type { Client } from '../api/index.js'
import type { CheckedPayment, Ledger, PaymentAttempt, PaymentRules } from '../chain/index.js'
import type { Order } from '../schema/index.js'
import type { CheckoutEvent } from './event.js'
import type { OrderParameters } from './order.js'
import type { PayStep } from './payStep.js'

/** The part of the Web Locks API that a payment needs. */
export type Locks = Pick<LockManager, 'request'>

/** An attempt whose transaction is known. */
export type SentAttempt = PaymentAttempt & { txId: string }

/** A payment that passed every check of this package, for an app's own checks. */
export type PaymentToApprove = CheckedPayment & { order: Order }

/** What an app's own check says: false, or a sentence for the buyer, stops the payment; anything else lets it pass. */
// biome-ignore lint/suspicious/noConfusingVoidType: a check that returns nothing is what most apps write.
export type Verdict = boolean | string | undefined | void

/** An app's own check, the last one before the wallet is asked. Throwing stops the payment too. */
export type BeforePay = (payment: PaymentToApprove) => Verdict | Promise<Verdict>

/** What paying one order needs from outside. */
export type PayContext = OrderParameters & {
  config: Config
  client: Client
  queryClient: QueryClient
  ledger: Ledger
  /** What the app knows of tokens and of where the money goes. */
  rules?: PaymentRules | undefined
  onBeforePay?: BeforePay | undefined
  onEvent?: ((event: CheckoutEvent) => void) | undefined
  /** The browser's locks, which keep two tabs from paying one order together; absent where there are none. */
  locks?: Locks | undefined
  /** How long a wallet may stay silent before the buyer is offered a choice: a minute by default. */
  silenceMs?: number | undefined
  /** The clock, in epoch milliseconds. */
  now(): number
  setStep(step: PayStep): void
  /** Hears of what a wallet answers after it was given up. */
  onLateAnswer(error?: unknown): void
}

/** What a payment needs from whoever shows it. */
export type PaymentParameters = Omit<PayContext, 'setStep' | 'onLateAnswer'>
