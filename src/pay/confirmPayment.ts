import { reportPayment } from '../api/reportPayment.js'
import { isKassaError } from '../errors/KassaError.js'
import { isPaymentSeen } from '../order/payment.js'
import { setOrder } from '../query/setOrder.js'
import { emitEvent } from './event.js'
import { followPayment } from './followPayment.js'
import { openFamily } from './openFamily.js'
import type { SentAttempt, TaskContext } from './payContext.js'
import { getTxId, refuseSignature } from './signature.js'
import { isFoundByLog, isUncertain } from './uncertain.js'
import { watchOrder } from './watchOrder.js'

/** Reports the hash to the service. A failure is harmless, because the service also watches the chain. */
const report = (context: TaskContext, txId: string): Promise<void> => {
  const { client, queryClient, orderId, clientSecret } = context
  return reportPayment(client, { orderId, clientSecret, txId }).then((order) =>
    setOrder(queryClient, client, order),
  )
}

const tellRepriced = ({ onEvent, orderId, now }: TaskContext, replacedTxId: string, txId: string): void =>
  emitEvent(onEvent, { type: 'payment.repriced', orderId, txId, replacedTxId, atMs: now() })

/** Tells a speed-up that the service reported before the page found it on the chain. */
const findRepriced = async (context: TaskContext, attempt: SentAttempt, txId: string): Promise<void> => {
  // A wallet that names its payments itself changes their hash without a speed-up.
  if (isFoundByLog(attempt)) return
  try {
    const family = await openFamily(context, attempt)
    if (!family.hasSpeedUp || !family.canReach(attempt)) return
    const found = await family.find({ ...attempt, txId })
    if (found.txId === txId) tellRepriced(context, attempt.txId, txId)
  } catch {
    // The event is for analytics. Without a node it is left out.
  }
}

/**
 * Waits until a sent payment is in a block or the service has seen it. It accepts whichever comes first,
 * because a node may lag while the order advances.
 *
 * @throws {@link KassaError} `pay.reverted`, `pay.cancelled`, `pay.replaced`, `pay.expired`, and, of a payment that the
 * shop was to send, `pay.signature-refused` and `pay.order-changed`: the payment failed and is forgotten; `pay.dropped` or `pay.uncertain` when it may still arrive.
 */
export const confirmPayment = async (context: TaskContext, sent: SentAttempt): Promise<void> => {
  const { attemptStore, setStep } = context
  let attempt: SentAttempt = sent
  let isOver = false
  let confirming: string | undefined
  const confirm = (txId: string): void => {
    if (isOver || attempt.txId !== txId || confirming === txId) return
    confirming = txId
    setStep({ status: 'confirming', txId: getTxId(attempt) })
  }
  const follow = (): void => {
    const { txId, callsId, authorization } = attempt
    const sentTxId = getTxId(attempt)
    setStep({ status: 'broadcast', txId: sentTxId })
    // The shop has not sent it yet. It tells once it has.
    if (sentTxId === undefined) return
    // The step becomes `confirming` once the bundling wallet, the service or a node knows the payment.
    const isKnown = txId === callsId || authorization !== undefined
    const known = isKnown ? Promise.resolve() : report(context, txId)
    known.then(
      () => confirm(txId),
      () => undefined,
    )
  }
  follow()
  const seen = watchOrder(context, isPaymentSeen)
  const mined = followPayment(context, sent, {
    onKnown: () => confirm(attempt.txId),
    onMoved: (moved, isRepriced) => {
      const replacedTxId = attempt.txId
      attempt = moved
      attemptStore.update(moved, () => moved)
      if (moved.txId === replacedTxId) return
      if (isRepriced) tellRepriced(context, replacedTxId, moved.txId)
      follow()
    },
  })
  try {
    const txId = await Promise.race([
      mined.promise,
      seen.promise.then((order) => order.payment.received?.txId ?? getTxId(attempt)),
    ])
    confirm(attempt.txId)
    setStep({ status: 'paid', txId })
    if (txId !== undefined && txId !== attempt.txId) void findRepriced(context, attempt, txId)
  } catch (error) {
    if (isKassaError(error)) {
      const isForgotten = error.code === 'pay.dropped' || isFoundByLog(attempt)
      if (error.code === 'pay.signature-refused') refuseSignature(context)
      if (!isUncertain(error)) attemptStore.remove(attempt)
      // The hash from the wallet belongs to another transaction, so the payment's hash is unknown.
      else
        attemptStore.update(attempt, (kept) => ({
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
