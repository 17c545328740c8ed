import type { QueryClient } from '@tanstack/react-query'
import type { Client } from '../api/index.js'
import { createLazyPayment } from './createLazyPayment.js'
import type { PaymentParameters } from './payContext.js'
import type { PayOptions } from './payOrder.js'
import type { PayStep } from './payStep.js'
import type { SeenOrder } from './seenOrder.js'

/** The payment of one order: one step that everybody who asks sees, and one way to move it. */
export type Payment = {
  getStep(): PayStep
  subscribe(listener: () => void): () => void
  /** Pays; a call while one is under way joins it. Never rejects: the step tells how it went. */
  pay(parameters: PaymentParameters, options?: PayOptions): Promise<PayStep>
  /** Takes up an attempt that a reload interrupted. Does nothing when there is none. */
  resume(parameters: PaymentParameters): Promise<PayStep>
  /**
   * Renews the quote before it runs out, for as long as somebody shows the payment.
   *
   * @returns Stops; the last one who does ends it.
   */
  keep(getParameters: () => PaymentParameters): () => void
  /**
   * Clears a failure that was shown; after `pay.price-changed` it agrees to the new price. Does nothing while a
   * payment is made or may be under way, nor once it is.
   */
  reset(): void
}

/** What a payment does, apart from what everybody who shows it reads. */
export type PaymentEngine = Omit<Payment, 'getStep' | 'subscribe' | 'pay'> & {
  /** Pays what the buyer saw when they pressed the button, which may be a while before this is called. */
  pay(parameters: PaymentParameters, options: PayOptions | undefined, seen: SeenOrder): Promise<PayStep>
}

const payments = new WeakMap<QueryClient, Map<string, Payment>>()

/** The payment of an order: the same one for every component, hook and function that asks. */
export const getPayment = (queryClient: QueryClient, client: Client, orderId: string): Payment => {
  const byOrder = payments.get(queryClient) ?? new Map<string, Payment>()
  payments.set(queryClient, byOrder)
  const key = `${client.baseUrl} ${orderId}`
  const payment = byOrder.get(key) ?? createLazyPayment()
  byOrder.set(key, payment)
  return payment
}
