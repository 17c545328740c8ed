import type { Ledger } from '../chain/index.js'
import { isPending, type PayStep } from '../query/index.js'
import type { Order } from '../schema/index.js'
import { type ForcedStateName, forcedStates } from './forcedStates.js'
import { canForce } from './forceOrder.js'
import type { AttemptRecord, CheckedRecord, OrderRecord, StepRecord } from './snapshot.js'

/** What is known of an order in addition to the order itself. */
export type Known = {
  step: PayStep
  attempts: readonly AttemptRecord[]
  checked: CheckedRecord | undefined
  forced: ForcedStateName | undefined
  isSandbox: boolean
}

const describeStep = (step: PayStep): StepRecord => ({
  status: step.status,
  ...('error' in step && { code: step.error.code, message: step.error.message }),
  ...('txId' in step && { txId: step.txId }),
})

/**
 * Merges a ledger's attempts into the known ones. An attempt that the ledger has removed is no longer open.
 */
export const mergeAttempts = (
  known: readonly AttemptRecord[],
  ledger: Ledger,
  orderId: string,
): AttemptRecord[] => {
  const open = ledger.list(orderId).map(({ orderId: _, ...attempt }) => ({ ...attempt, isOpen: true }))
  const closed = known.filter(({ id }) => !open.some((attempt) => attempt.id === id))
  return [...closed.map((attempt) => ({ ...attempt, isOpen: false })), ...open]
}

/**
 * Lists the states an order can be shown in. There are none while a payment may be on its way, because a
 * simulated state would mislead it.
 */
const listStates = (order: Order, { step, attempts, isSandbox }: Known): ForcedStateName[] => {
  const isPaying = isPending(step) || step.status === 'uncertain' || attempts.some(({ isOpen }) => isOpen)
  if (!isSandbox || isPaying) return []
  const names = Object.keys(forcedStates) as ForcedStateName[]
  return names.filter((name) => canForce(order, name))
}

/** Describes an order and its payment, as they are in the cache, in plain values. */
export const describeOrder = (order: Order, known: Known): OrderRecord => {
  const { quote, payment } = order
  const { attempts, checked, forced } = known
  return {
    orderId: order.orderId,
    phase: order.phase,
    quote: quote.status,
    payment: payment.status,
    deliveries: order.lineItems.map(({ delivery }) => delivery.status),
    total: quote.totalPrice && `${quote.totalPrice.amount} ${quote.totalPrice.currency.toUpperCase()}`,
    expiresAt: quote.expiresAt,
    chain: payment.method,
    payer: payment.preparation?.payerAddress ?? attempts.at(-1)?.payerAddress,
    step: describeStep(known.step),
    attempts: [...attempts],
    checked,
    forced,
    canBeForcedTo: listStates(order, known),
  }
}
