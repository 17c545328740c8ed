import { isKassaError, reportPayment } from '../api/index.js'
import { isPaymentSeen } from '../order/index.js'
import { emitEvent } from './event.js'
import { followTransaction } from './followTransaction.js'
import type { PayContext, SentAttempt } from './payContext.js'
import { isUncertain } from './uncertain.js'
import { watchOrder } from './watchOrder.js'
import { setOrder } from './wire.js'

/** Tells the service the hash. Only a hint: that it fails changes nothing, the chain tells the service too. */
const report = (context: PayContext, txId: string): void => {
  const { client, queryClient, orderId, clientSecret } = context
  reportPayment(client, { orderId, clientSecret, txId }).then(
    (order) => setOrder(queryClient, client, order),
    () => undefined,
  )
}

/**
 * Waits until a sent payment is in a block, or until the service has seen it: whichever comes first, because a
 * node may lag while the order advances.
 *
 * @throws {@link KassaError} `pay.reverted`, `pay.cancelled`, `pay.replaced`: the payment came to nothing and is
 * forgotten; `pay.dropped` or `pay.uncertain` when nobody knows whether it will still come.
 */
export const confirmPayment = async (context: PayContext, sent: SentAttempt): Promise<void> => {
  const { ledger, orderId, onEvent, now, setStep } = context
  let attempt: SentAttempt = sent
  const follow = (): void => {
    const { txId, callsId } = attempt
    if (txId !== callsId) report(context, txId)
    setStep({ status: 'confirming', txId })
  }
  setStep({ status: 'broadcast', txId: sent.txId })
  follow()
  const seen = watchOrder(context, isPaymentSeen)
  const mined = followTransaction(context, sent, (moved, isRepriced) => {
    const replacedTxId = attempt.txId
    attempt = moved
    ledger.put(moved)
    if (moved.txId === replacedTxId) return
    if (isRepriced) {
      emitEvent(onEvent, { type: 'payment.repriced', orderId, txId: moved.txId, replacedTxId, atMs: now() })
    }
    follow()
  })
  try {
    const txId = await Promise.race([
      mined.promise,
      seen.promise.then((order) => order.payment.received?.txId ?? attempt.txId),
    ])
    setStep({ status: 'paid', txId })
  } catch (error) {
    if (isKassaError(error)) {
      if (isUncertain(error)) ledger.put({ ...attempt, isDropped: true })
      else ledger.remove(attempt)
    }
    throw error
  } finally {
    seen.stop()
    mined.stop()
  }
}
