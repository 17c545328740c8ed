import { isPaymentSeen } from '../order/payment.js'
import { sleepUntilReturn } from './page.js'
import type { PaymentParameters } from './payContext.js'
import type { PayStep } from './payStep.js'
import { isSent } from './resumePayment.js'
import { searchPayment } from './searchPayment.js'
import { uncertain } from './uncertain.js'
import { watchOrder } from './watchOrder.js'

/** What is heard of attempts of which nobody knows more. */
export type UncertainListener = {
  /** A look at the newest one has found nothing new but whether any transaction of the payer waits. */
  onLook(error: Extract<PayStep, { status: 'uncertain' }>['error']): void
  /** The hash of one is in the ledger now, or the service has seen a payment. */
  onFound(): void
}

/**
 * Goes on looking for every open attempt, on chain and in the order, until one is found.
 *
 * @param delayMs - How long to wait before the first look.
 * @returns Gives it up.
 */
export const watchUncertain = (
  parameters: PaymentParameters,
  listener: UncertainListener,
  delayMs: number,
): (() => void) => {
  const { ledger, orderId } = parameters
  const attempts = ledger.list(orderId)
  const newest = attempts.at(-1)
  let isStopped = false
  const searches = attempts.map((attempt) => {
    const onLook = (hasOpenTransaction: boolean): void => {
      if (attempt === newest) listener.onLook(uncertain(attempt, { hasOpenTransaction }))
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
    promise.then((txId) => ledger.update(attempt, (known) => ({ ...known, txId, isDropped: undefined }))),
  )
  // An answer that came while something else was going on is in the ledger already.
  const answered = attempts.some(isSent) ? [sleepUntilReturn(delayMs)] : []
  const isSeen = seen.promise.then(() => sleepUntilReturn(delayMs))
  void Promise.race([...found, ...answered, isSeen]).then(() => {
    if (isStopped) return
    stop()
    listener.onFound()
  })
  return stop
}
