import type { QueryClient } from '@tanstack/react-query'
import type { Config } from 'wagmi'
import type { Client } from '../api/index.js'
import type { Ledger, PaymentAttempt } from '../chain/index.js'
import type { OrderParameters } from './order.js'
import type { PayStep } from './payStep.js'

/** The part of the Web Locks API that a payment needs. */
export type Locks = Pick<LockManager, 'request'>

/** An attempt whose transaction is known. */
export type SentAttempt = PaymentAttempt & { txId: string }

/** What paying one order needs from outside. */
export type PayContext = OrderParameters & {
  config: Config
  client: Client
  queryClient: QueryClient
  ledger: Ledger
  /** The browser's locks, which keep two tabs from paying one order together; absent where there are none. */
  locks?: Locks | undefined
  /** The clock, in epoch milliseconds. */
  now(): number
  setStep(step: PayStep): void
}
