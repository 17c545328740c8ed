import { reportPayment } from '../api/reportPayment.js'
import { isKassaError } from '../errors/KassaError.js'
import { isPaymentSeen } from '../order/payment.js'
import { emitEvent } from './event.js'
import { followTransaction } from './followTransaction.js'
import type { PayContext, SentAttempt } from './payContext.js'
import { isUncertain } from './uncertain.js'
import { watchOrder } from './watchOrder.js'
import { setOrder } from './wire.js'

/** Tells the service the hash. Only a hint: that it fails changes nothing, the chain tells the service too. */
const report = (context: PayContext, txId: string): Promise<void> => {
  const { client, queryClient, orderId, clientSecret } = context
  return reportPayment(client, { orderId, clientSecret, txId }).then((order) =>
    setOrder(queryClient, client, order),
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
    // It is confirmed once somebody knows of it: the wallet that bundles it, the service, or a node.
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
      // What the wallet has named as the payment was something else: then there is no name for it.
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
