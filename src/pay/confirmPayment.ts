import { reportPayment } from '../api/reportPayment.js'
import { isKassaError } from '../errors/KassaError.js'
import { isPaymentSeen } from '../order/payment.js'
import { setOrder } from '../query/wire.js'
import { emitEvent } from './event.js'
import { followTransaction } from './followTransaction.js'
import type { PayContext, SentAttempt } from './payContext.js'
import { isUncertain } from './uncertain.js'
import { watchOrder } from './watchOrder.js'

/** Reports the hash to the service. A failure is harmless, because the service also watches the chain. */
const report = (context: PayContext, txId: string): Promise<void> => {
  const { client, queryClient, orderId, clientSecret } = context
  return reportPayment(client, { orderId, clientSecret, txId }).then((order) =>
    setOrder(queryClient, client, order),
  )
}

/**
 * Waits until a sent payment is in a block or the service has seen it. It accepts whichever comes first,
 * because a node may lag while the order advances.
 *
 * @throws {@link KassaError} `pay.reverted`, `pay.cancelled`, `pay.replaced`: the payment failed and is
 * forgotten; `pay.dropped` or `pay.uncertain` when it may still arrive.
 */
export const confirmPayment = async (context: PayContext, sent: SentAttempt): Promise<void> => {
  const { ledger, orderId, onEvent, now, setStep } = context
  let attempt: SentAttempt = sent
  let isOver = false
  let confirming: string | undefined
  const confirm = (txId: string): void => {
    if (isOver || attempt.txId !== txId || confirming === txId) return
    confirming = txId
    setStep({ status: 'confirming', txId })
  }
  const follow = (): void => {
    const { txId, callsId } = attempt
    setStep({ status: 'broadcast', txId })
    // The step becomes `confirming` once the bundling wallet, the service or a node knows the payment.
    const known = txId === callsId ? Promise.resolve() : report(context, txId)
    known.then(
      () => confirm(txId),
      () => undefined,
    )
  }
  follow()
  const seen = watchOrder(context, isPaymentSeen)
  const mined = followTransaction(context, sent, {
    onKnown: () => confirm(attempt.txId),
    onMoved: (moved, isRepriced) => {
      const replacedTxId = attempt.txId
      attempt = moved
      ledger.update(moved, () => moved)
      if (moved.txId === replacedTxId) return
      if (isRepriced) {
        emitEvent(onEvent, { type: 'payment.repriced', orderId, txId: moved.txId, replacedTxId, atMs: now() })
      }
      follow()
    },
  })
  try {
    const txId = await Promise.race([
      mined.promise,
      seen.promise.then((order) => order.payment.received?.txId ?? attempt.txId),
    ])
    confirm(attempt.txId)
    setStep({ status: 'paid', txId })
  } catch (error) {
    if (isKassaError(error)) {
      const isForgotten = error.code === 'pay.dropped' || attempt.isContractWallet || attempt.callsId
      if (!isUncertain(error)) ledger.remove(attempt)
      // The hash from the wallet belongs to another transaction, so the payment's hash is unknown.
      else
        ledger.update(attempt, (kept) => ({
          ...kept,
          ...(isForgotten ? { isDropped: true } : { txId: undefined }),
        }))
    }
    throw error
  } finally {
    isOver = true
    seen.stop()
    mined.stop()
  }
}
