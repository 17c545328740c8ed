import { isPaymentSeen } from '../order/index.js'
import type { PaymentParameters } from './payContext.js'
import type { PayStep } from './payStep.js'
import { searchPayment } from './searchPayment.js'
import { uncertain } from './uncertain.js'
import { watchOrder } from './watchOrder.js'

/** What is heard of a payment of which nobody knows more. */
export type UncertainListener = {
  /** A look has found nothing new but whether any transaction of the payer waits. */
  onLook(error: Extract<PayStep, { status: 'uncertain' }>['error']): void
  /** Its hash is in the ledger now, or the service has seen it. */
  onFound(): void
}

/**
 * Goes on looking for the newest attempt, on chain and in the order, until it is found.
 *
 * @returns Gives it up.
 */
export const watchUncertain = (parameters: PaymentParameters, listener: UncertainListener): (() => void) => {
  const { ledger, orderId } = parameters
  const attempt = ledger.list(orderId).at(-1)
  if (!attempt) return () => undefined
  const search = searchPayment(parameters, attempt, (hasOpenTransaction) =>
    listener.onLook(uncertain(attempt, { hasOpenTransaction })),
  )
  const seen = watchOrder(parameters, isPaymentSeen)
  const stop = (): void => {
    search.stop()
    seen.stop()
  }
  const found = search.promise.then((txId) => ledger.put({ ...attempt, txId, isDropped: undefined }))
  void Promise.race([found, seen.promise]).then(() => {
    stop()
    listener.onFound()
  })
  return stop
}
