import type { PayStep } from '../engine/payment/payStep.js'
import { emitEvent } from './event.js'
import type { PaymentParameters } from './payContext.js'

/** A payment's step, shared by all subscribers. */
export type StepStore = {
  get(): PayStep
  set(next: PayStep): void
  subscribe(listener: () => void): () => void
}

/** The step of a payment that has not begun. */
export const idle: PayStep = { status: 'idle' }

/**
 * Creates the store of one payment's step.
 *
 * @param getParameters - Returns the parameters whose listener receives the steps; undefined before the
 * payment is first shown.
 */
export const createStepStore = (
  getParameters: () => Pick<PaymentParameters, 'orderId' | 'onEvent' | 'now'> | undefined,
): StepStore => {
  let step: PayStep = idle
  const listeners = new Set<() => void>()
  return {
    get: () => step,
    set: (next) => {
      // Repeating a step without further fields is no change.
      if (next.status === step.status && Object.keys(next).length === 1) return
      const from = step.status
      step = next
      for (const listener of listeners) listener()
      const parameters = getParameters()
      if (!parameters) return
      const { orderId, onEvent, now } = parameters
      const code = 'error' in next ? next.error.code : undefined
      const txId = 'txId' in next ? next.txId : undefined
      emitEvent(onEvent, { type: 'payment.step', orderId, from, to: next.status, code, txId, atMs: now() })
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
