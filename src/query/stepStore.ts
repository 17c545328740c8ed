import { emitEvent } from './event.js'
import type { PaymentParameters } from './payContext.js'
import type { PayStep } from './payStep.js'

/** The one step of a payment, for everybody who shows it. */
export type StepStore = {
  get(): PayStep
  set(next: PayStep): void
  subscribe(listener: () => void): () => void
}

/** The step of a payment that nobody has begun. */
export const idle: PayStep = { status: 'idle' }

/**
 * Makes the store of one payment's step.
 *
 * @param getParameters - Whose listener hears of the steps; nobody's, before anybody showed the payment.
 */
export const createStepStore = (
  getParameters: () => Pick<PaymentParameters, 'orderId' | 'onEvent' | 'now'> | undefined,
): StepStore => {
  let step: PayStep = idle
  const listeners = new Set<() => void>()
  return {
    get: () => step,
    set: (next) => {
      // A step that has nothing but its name says nothing new when it comes twice.
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
