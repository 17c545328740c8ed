import type { PaymentAttempt } from '../chain/index.js'
import type { PayStep } from '../engine/payment/payStep.js'
import { isPaymentSeen } from '../order/payment.js'
import type { Finding } from './family.js'
import { sleepUntilReturn } from './page.js'
import type { PaymentParameters } from './payContext.js'
import { isSent } from './resumePayment.js'
import { searchPayment } from './searchPayment.js'
import { uncertain } from './uncertain.js'
import { watchOrder } from './watchOrder.js'

/** Receives the results of searching attempts whose outcome is unknown. */
export type UncertainListener = {
  /** Called when a search found only whether any transaction of the payer is pending. */
  onLook(error: Extract<PayStep, { status: 'uncertain' }>['error']): void
  /** Called when an attempt is proved never to succeed. */
  onOver(attempt: PaymentAttempt): void
  /** Called when an attempt's hash is stored, or the service has seen a payment. */
  onFound(): void
}

/**
 * Keeps searching for every open attempt, on chain and in the order, until one is found.
 *
 * @param delayMs - How long to wait before the first look.
 * @returns A function that stops the search.
 */
export const watchUncertain = (
  parameters: PaymentParameters,
  listener: UncertainListener,
  delayMs: number,
): (() => void) => {
  const { attemptStore, orderId } = parameters
  const attempts = attemptStore.list(orderId)
  const newest = attempts.at(-1)
  let isStopped = false
  const searches = attempts.map((attempt) => {
    const onLook = ({ isOver, hasOpenTransaction }: Finding): void => {
      // An answer that another tab has received meanwhile is followed there.
      const isUnchanged = attemptStore
        .list(orderId)
        .some(({ id, txId }) => id === attempt.id && txId === attempt.txId)
      if (isOver && isUnchanged) listener.onOver(attempt)
      else if (attempt === newest) listener.onLook(uncertain(attempt, { hasOpenTransaction }))
    }
    return { attempt, ...searchPayment(parameters, attempt, { onLook, delayMs }) }
  })
  const seen = watchOrder(parameters, isPaymentSeen)
  const stop = (): void => {
    isStopped = true
    seen.stop()
    for (const search of searches) search.stop()
  }
  const found = searches.map(({ attempt, promise }) =>
    promise.then((txId) =>
      attemptStore.update(attempt, (known) => ({ ...known, txId, isDropped: undefined })),
    ),
  )
  // An answer that came during another task is already stored.
  const answered = attempts.some(isSent) ? [sleepUntilReturn(delayMs)] : []
  const isSeen = seen.promise.then(() => sleepUntilReturn(delayMs))
  void Promise.race([...found, ...answered, isSeen]).then(() => {
    if (isStopped) return
    stop()
    listener.onFound()
  })
  return stop
}
