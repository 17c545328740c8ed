import { isHash } from 'viem'
import { type ReplacementReturnType, waitForTransactionReceipt } from 'viem/actions'
import { KassaError, reportPayment } from '../api/index.js'
import type { PaymentAttempt } from '../chain/index.js'
import { isPaymentSeen } from '../order/index.js'
import { orderQueryKey } from './keys.js'
import { getNode } from './node.js'
import type { PayContext } from './payContext.js'
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

/** An attempt whose transaction is known. */
type SentAttempt = PaymentAttempt & { txId: string }

const waitForReceipt = async (context: PayContext, attempt: SentAttempt): Promise<string> => {
  const { config, ledger, setStep } = context
  // A contract wallet answers with an identifier of its own, which no node knows: the order alone tells.
  if (!isHash(attempt.txId)) throw new Error('not a transaction hash')
  let replacedFor: ReplacementReturnType['reason'] | undefined
  const receipt = await waitForTransactionReceipt(getNode(config, attempt.chainId), {
    hash: attempt.txId,
    timeout: 0,
    onReplaced: ({ reason, transaction }) => {
      replacedFor = reason
      if (reason !== 'repriced') return
      ledger.put({ ...attempt, txId: transaction.hash })
      report(context, transaction.hash)
      setStep({ status: 'confirming', txId: transaction.hash })
    },
  })
  const txId = receipt.transactionHash
  if (replacedFor === 'cancelled' || replacedFor === 'replaced')
    throw new KassaError('pay.cancelled', { txId })
  if (receipt.status === 'reverted') throw new KassaError('pay.reverted', { txId })
  return txId
}

/**
 * Waits until a sent payment is in a block, or until the service has seen it: whichever comes first, because a
 * node may lag while the order advances.
 *
 * @throws {@link KassaError} `pay.reverted`, `pay.cancelled`.
 */
export const confirmPayment = async (context: PayContext, attempt: SentAttempt): Promise<void> => {
  const { client, queryClient, orderId, ledger, setStep } = context
  report(context, attempt.txId)
  setStep({ status: 'confirming', txId: attempt.txId })
  const seen = watchOrder(queryClient, orderQueryKey(client, orderId), isPaymentSeen)
  try {
    const txId = await Promise.race([
      // A node that cannot be reached says nothing about the payment: then the order alone tells.
      waitForReceipt(context, attempt).catch((error) => {
        if (error instanceof KassaError) throw error
        return seen.promise.then(() => attempt.txId)
      }),
      seen.promise.then((order) => order.payment.received?.txId ?? attempt.txId),
    ])
    setStep({ status: 'paid', txId })
  } catch (error) {
    // Reverted or cancelled: this attempt has paid nothing and never will.
    ledger.remove(orderId)
    throw error
  } finally {
    seen.stop()
  }
}
