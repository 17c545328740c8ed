import { isPaymentCompleted, isPaymentReturned, isPaymentSeen } from '../order/payment.js'
import { orderQueryKey } from '../query/keys.js'
import { getKnownOrder } from '../query/knownOrder.js'
import type { Order } from '../schema/index.js'
import { openFamily } from './openFamily.js'
import { isPageHidden, sleepUntilReturn } from './page.js'
import type { PaymentParameters } from './payContext.js'
import type { Wait } from './wait.js'
import { watchOrder } from './watchOrder.js'

/**
 * The outcome of a payment that was mined or that the service has seen.
 *
 * - `stands`: the service accepts it; `returned`: the service sends it back, as too little or too late.
 * - `undone`: its block was reorganised away, or the service has seen it and no longer does.
 * - `ignored`: it is in a block, and the service responds without accepting it.
 */
export type Settlement = 'stands' | 'returned' | 'undone' | 'ignored'

// Interval in polls of the node. It is long, because a reorganisation is rare.
const polls = 4
// Many times what a service needs to notice and confirm a payment on the slowest chain.
const ignoredMs = 10 * 60_000

const never = <Value>(): Promise<Value> => new Promise(() => undefined)

/**
 * Waits until a mined transaction is no longer in any block, or until it has been ignored for too long to be
 * the payment.
 */
const watchBlock = (parameters: PaymentParameters, hash: string): Wait<Settlement> => {
  const { attemptStore, orderId, now } = parameters
  const attempt = attemptStore.list(orderId).find(({ txId }) => txId === hash)
  const sinceMs = now()
  let isStopped = false
  const watch = async (): Promise<Settlement> => {
    if (!attempt) return never()
    const family = await openFamily(parameters, attempt).catch(() => undefined)
    if (!family?.canReach(attempt)) return never()
    // Two misses in a row are required, because of several nodes behind one address one may lag.
    for (let missing = 0; missing < 2; ) {
      await sleepUntilReturn(family.pollMs(attempt) * polls)
      if (isStopped) return never()
      if (isPageHidden()) continue
      const isGone = await family.isGone(attempt, hash).catch(() => false)
      missing = isGone ? missing + 1 : 0
      const order = getKnownOrder(parameters)
      if (order && !isPaymentSeen(order) && now() - sinceMs > ignoredMs) return 'ignored'
    }
    return 'undone'
  }
  return {
    promise: watch(),
    stop: () => {
      isStopped = true
    },
  }
}

/** Waits until the service has decided about a payment, and only then forgets the attempt. */
export const awaitSettlement = async (parameters: PaymentParameters, txId: string): Promise<Settlement> => {
  const { queryClient, client, attemptStore, orderId } = parameters
  let isSeen = false
  const decide = (order: Order): Settlement | undefined => {
    if (isPaymentCompleted(order)) return 'stands'
    if (isPaymentReturned(order, txId)) return 'returned'
    if (isSeen && !isPaymentSeen(order)) return 'undone'
    isSeen = isPaymentSeen(order)
    return undefined
  }
  const decided = watchOrder(parameters, (order) => decide(order) !== undefined)
  const block = watchBlock(parameters, txId)
  void queryClient.invalidateQueries({ queryKey: orderQueryKey(client, orderId) })
  const settlement = await Promise.race([
    decided.promise.then((order): Settlement => decide(order) ?? 'undone'),
    block.promise,
  ])
  decided.stop()
  block.stop()
  if (settlement === 'stands') attemptStore.clear(orderId)
  for (const attempt of attemptStore.list(orderId)) {
    if (attempt.txId !== txId) continue
    if (settlement === 'returned') attemptStore.remove(attempt)
    // The reason is unknown, so the attempt is no longer followed but kept.
    if (settlement === 'ignored') attemptStore.update(attempt, (known) => ({ ...known, isDropped: true }))
  }
  return settlement
}
