import type { PaymentAttempt } from '../chain/index.js'
import type { PayStep } from '../engine/payment/payStep.js'
import type { CheckedFacts } from '../pay/event.js'
import type { ForcedStateName } from './forcedStates.js'

/** A change of one field; `from` is undefined if there was no value before. */
export type Change = { field: string; from?: string | undefined; to: string }

/**
 * One event of an order or its payment.
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
  /** Whether the order was shown in a simulated state at that time. */
  isForced: boolean
}

/**
 * One call to the service and its cost. It contains no header and no body.
 *
 * @units `bytes` is the answer's body, uncompressed.
 */
export type CallRecord = {
  id: number
  atMs: number
  /** Undefined for a call without an order. */
  orderId: string | undefined
  method: string
  /** The path below the order; empty for the order itself. */
  path: string
  /** Undefined if no complete answer arrived. */
  status: number | undefined
  /** Whether the page cancelled the call, which is not a failure. */
  isCancelled: boolean
  ms: number
  bytes: number
}

/** Applied to each kind of attempt by itself. */
type WithoutOrder<Attempt> = Attempt extends unknown ? Omit<Attempt, 'orderId'> : never

/** One attempt at paying. It is open until it is known to have paid or failed. */
export type AttemptRecord = WithoutOrder<PaymentAttempt> & { isOpen: boolean }

/** The facts that were checked against the order before the wallet was asked. */
export type CheckedRecord = CheckedFacts & { atMs: number }

/** A payment's step, without the objects that an error carries. */
export type StepRecord = {
  status: PayStep['status']
  code?: string | undefined
  message?: string | undefined
  txId?: string | undefined
}

/** One order as it is in the query cache, with its payment. */
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
  /** The states it can be shown in; none while a payment may be on its way. */
  canBeForcedTo: ForcedStateName[]
}

/**
 * Whether the service is a sandbox, and its chains. `unknown` before the first request, `away` when the
 * service did not answer.
 */
export type SandboxRecord = { status: 'unknown' | 'asking' | 'none' | 'away' | 'ready'; chains: string[] }

/** Everything the panel shows: plain values that survive `JSON.stringify`, without secrets. */
export type DevtoolsSnapshot = {
  orders: OrderRecord[]
  /** The last 200, the oldest first. */
  timeline: TimelineRecord[]
  /** The last 200, the oldest first. */
  calls: CallRecord[]
  sandbox: SandboxRecord
}
