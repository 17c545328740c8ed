import { getOrder, KassaError } from '../api/index.js'
import type { PaymentAttempt } from '../chain/index.js'
import { isPaymentReturned, isPaymentSeen } from '../order/index.js'
import type { Order } from '../schema/index.js'
import { confirmPayment } from './confirmPayment.js'
import type { PayContext } from './payContext.js'
import { setOrder } from './wire.js'

/** Gets the order as it is this moment, for a decision about money. */
export const getFreshOrder = async (context: PayContext): Promise<Order> => {
  const { client, queryClient, orderId, clientSecret } = context
  const order = await getOrder(client, { orderId, clientSecret })
  setOrder(queryClient, client, order)
  return order
}

/** The error of an attempt that went to the wallet and never came back. */
export const uncertain = ({ attemptedAtMs }: PaymentAttempt, cause?: unknown): KassaError<'pay.uncertain'> =>
  new KassaError('pay.uncertain', { attemptedAt: new Date(attemptedAtMs).toISOString() }, { cause })

/**
 * Takes up what came before: a payment the service has seen, or an attempt that a reload interrupted.
 *
 * @param options.isAgain - The buyer chooses to pay although an earlier attempt never came back.
 * @returns Whether the order is paid, so that the wallet must not be asked.
 * @throws {@link KassaError} `pay.uncertain` for an attempt that went to the wallet and never came back;
 * `pay.reverted`, `pay.cancelled`.
 */
export const resumePayment = async (
  context: PayContext,
  order: Order,
  options: { isAgain?: boolean | undefined } = {},
): Promise<boolean> => {
  const { ledger, orderId, setStep } = context
  const attempt = ledger.get(orderId)
  if (isPaymentSeen(order)) {
    setStep({ status: 'paid', txId: order.payment.received?.txId ?? attempt?.txId })
    return true
  }
  if (!attempt) return false
  if (attempt.txId === undefined) {
    if (options.isAgain) return false
    throw uncertain(attempt)
  }
  if (isPaymentReturned(order, attempt.txId)) return false
  await confirmPayment(context, { ...attempt, txId: attempt.txId })
  return true
}
