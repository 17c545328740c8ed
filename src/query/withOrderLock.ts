import type { PayContext } from './payContext.js'

/**
 * Does something about an order that no other tab may do at the same time.
 *
 * @param onBusyElsewhere - What happens instead while another tab does.
 */
export const withOrderLock = async (
  { locks, orderId }: Pick<PayContext, 'locks' | 'orderId'>,
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
    // A sandboxed frame has locks and forbids them: nothing can be locked there, but everything can be paid.
    return work()
  }
}
