import type { PaymentParameters } from './payContext.js'

/**
 * Runs a task for an order while no other tab runs one.
 *
 * @param onBusyElsewhere - Called instead when another tab holds the lock.
 */
export const withOrderLock = async (
  { locks, orderId }: Pick<PaymentParameters, 'locks' | 'orderId'>,
  work: () => Promise<unknown>,
  onBusyElsewhere: () => void,
): Promise<unknown> => {
  if (!locks) return work()
  let isAnswered = false
  try {
    return await locks.request(`kassa.order.${orderId}`, { ifAvailable: true }, (lock) => {
      isAnswered = true
      return lock ? work() : onBusyElsewhere()
    })
  } catch (error) {
    if (isAnswered) throw error
    // A sandboxed frame has locks but forbids them. Payments there work without locking.
    return work()
  }
}
