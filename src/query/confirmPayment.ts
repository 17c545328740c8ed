import { reportPayment } from '../api/index.js'
import { isPaymentSeen } from '../order/index.js'
import { followTransaction } from './followTransaction.js'
import type { PayContext, SentAttempt } from './payContext.js'
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
 * @throws {@link KassaError} `pay.reverted`, `pay.cancelled`; `pay.uncertain` when no node knows the payment any
 * more.
 */
export const confirmPayment = async (context: PayContext, attempt: SentAttempt): Promise<void> => {
  const { ledger, setStep } = context
  const follow = (txId: string): void => {
    report(context, txId)
    setStep({ status: 'confirming', txId })
  }
  follow(attempt.txId)
  const seen = watchOrder(context, isPaymentSeen)
  const mined = followTransaction(context, attempt, (txId) => {
    ledger.put({ ...attempt, txId })
    follow(txId)
  })
  try {
    const txId = await Promise.race([
      mined.promise,
      seen.promise.then((order) => order.payment.received?.txId ?? attempt.txId),
    ])
    setStep({ status: 'paid', txId })
  } finally {
    seen.stop()
    mined.stop()
  }
}
