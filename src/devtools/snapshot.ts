import type { PaymentAttempt } from '../chain/index.js'
import type { CheckedFacts, PayStep } from '../query/index.js'
import type { ForcedStateName } from './forcedStates.js'

/** One thing that became another; `from` is undefined where there was nothing before. */
export type Change = { field: string; from?: string | undefined; to: string }

/**
 * One thing that happened to an order or its payment.
 *
 * @units `atMs` is in epoch milliseconds of this device.
 */
export type TimelineRecord = {
  id: number
  atMs: number
  orderId: string
  kind: 'order' | 'step' | 'checked' | 'quote' | 'payment' | 'forced' | 'released'
  changes: Change[]
  /** Why a payment failed or is uncertain: an error code. */
  code?: string | undefined
  /** Whether the order was shown in a forced state then. */
  isForced: boolean
}

/**
 * One call of the service and what it cost. It holds no header and no body.
 *
 * @units `bytes` is the answer's body, uncompressed.
 */
export type CallRecord = {
  id: number
  atMs: number
  /** Undefined for a call about no order in particular. */
  orderId: string | undefined
  method: string
  /** What was asked for, below the order: empty for the order itself. */
  path: string
  /** Undefined when no whole answer came. */
  status: number | undefined
  /** Whether the page gave it up, which is no failure. */
  isCancelled: boolean
  ms: number
  bytes: number
}

/** One attempt at paying; it is no longer open once it is known to have paid or to have come to nothing. */
export type AttemptRecord = Omit<PaymentAttempt, 'orderId'> & { isOpen: boolean }

/** What was held against the order before the wallet was asked. */
export type CheckedRecord = CheckedFacts & { atMs: number }

/** Where a payment stands, without the objects an error carries. */
export type StepRecord = {
  status: PayStep['status']
  code?: string | undefined
  message?: string | undefined
  txId?: string | undefined
}

/** One order as it stands in the query cache, and its payment. */
export type OrderRecord = {
  orderId: string
  phase: string
  quote: string
  payment: string
  /** By line item. */
  deliveries: string[]
  total: string | undefined
  expiresAt: string | undefined
  chain: string | undefined
  payer: string | undefined
  step: StepRecord
  attempts: AttemptRecord[]
  checked: CheckedRecord | undefined
  /** The simulated state that is shown instead of the real one. */
  forced: ForcedStateName | undefined
  /** The states it can be shown in; none while a payment may be under way. */
  canBeForcedTo: ForcedStateName[]
}

/**
 * Whether the service is a sandbox, and its chains. `unknown` before the first request, `away` when the
 * service did not answer.
 */
export type SandboxRecord = { status: 'unknown' | 'asking' | 'none' | 'away' | 'ready'; chains: string[] }

/** All that the panel shows: plain values that survive `JSON.stringify`, and no secret. */
export type DevtoolsSnapshot = {
  orders: OrderRecord[]
  /** The last 200, the oldest first. */
  timeline: TimelineRecord[]
  /** The last 200, the oldest first. */
  calls: CallRecord[]
  sandbox: SandboxRecord
}
