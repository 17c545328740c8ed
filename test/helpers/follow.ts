import { setTimeout as sleep } from 'node:timers/promises'
import type { PayStep } from '../../src/query.js'
import type { Order } from '../../src/schema/index.js'
import type { Buyer } from './createBuyer.js'

/** Polls the order until it satisfies a condition; TanStack Query itself polls only where there is a window. */
export const follow = async (
  buyer: Pick<Buyer, 'queryClient' | 'observed'>,
  isMet: (order: Order) => boolean,
): Promise<Order> => {
  for (;;) {
    // It may join a read of the payment's own, which the service being away has doomed.
    const order = await buyer.queryClient
      .fetchQuery({ ...buyer.observed, staleTime: 0 })
      .catch(() => undefined)
    if (order && isMet(order)) return order
    await sleep(50)
  }
}

export const isCompleted = (order: Order): boolean => order.phase === 'completed'

/** Waits until a payment is at a step; at once when it is there already. */
export const reach = (
  payment: Buyer['payment'],
  ...statuses: readonly PayStep['status'][]
): Promise<PayStep> =>
  new Promise((resolve) => {
    const check = (): void => {
      if (!statuses.includes(payment.getStep().status)) return
      stop()
      resolve(payment.getStep())
    }
    const stop = payment.subscribe(check)
    check()
  })

/** What a step is about: the code of its error, else its status. */
export const codeOf = (step: PayStep): string => ('error' in step ? step.error.code : step.status)
