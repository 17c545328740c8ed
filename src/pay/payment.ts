import type { QueryClient } from '@tanstack/react-query'
import type { Client } from '../api/index.js'
import type { PayStep } from '../engine/payment/payStep.js'
import { createLazyPayment } from './createLazyPayment.js'
import type { PaymentParameters } from './payContext.js'
import type { PayOptions } from './payOrder.js'
import type { SeenOrder } from './seenOrder.js'

/** The payment of one order: one step that all subscribers share, and the functions that change it. */
export type Payment = {
  getStep(): PayStep
  subscribe(listener: () => void): () => void
  /** Pays. A call during a payment joins it. Never rejects; the step shows the outcome. */
  pay(parameters: PaymentParameters, options?: PayOptions): Promise<PayStep>
  /** Resumes an attempt that a reload interrupted. Does nothing without one. */
  resume(parameters: PaymentParameters): Promise<PayStep>
  /**
   * Renews the quote before it expires, while any component shows the payment.
   *
   * @returns A function that stops; the renewal ends with the last caller.
   */
  keep(getParameters: () => PaymentParameters): () => void
  /**
   * Clears a failure that was shown. After `pay.price-changed` it accepts the new price. Does nothing while a
   * payment is in progress or may be on its way, nor after it.
   */
  reset(): void
}

/** The functions of a payment without its shared state. */
export type PaymentEngine = Omit<Payment, 'getStep' | 'subscribe' | 'pay'> & {
  /** Pays the order that the buyer saw when pressing the button, which may be a while before this call. */
  pay(parameters: PaymentParameters, options: PayOptions | undefined, seen: SeenOrder): Promise<PayStep>
}

const payments = new WeakMap<QueryClient, Map<string, Payment>>()

/** Returns the payment of an order, the same one for every component, hook and function. */
export const getPayment = (queryClient: QueryClient, client: Client, orderId: string): Payment => {
  const byOrder = payments.get(queryClient) ?? new Map<string, Payment>()
  payments.set(queryClient, byOrder)
  const key = `${client.baseUrl} ${orderId}`
  const payment = byOrder.get(key) ?? createLazyPayment()
  byOrder.set(key, payment)
  return payment
}
