import { isPaymentReturned, isPaymentSeen } from '../order/index.js'
import type { Order } from '../schema/index.js'
import { confirmPayment } from './confirmPayment.js'
import type { PayContext } from './payContext.js'
import { uncertain } from './uncertain.js'

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
  if (options.isAgain) return false
  if (attempt.txId === undefined) throw uncertain(attempt)
  if (isPaymentReturned(order, attempt.txId)) return false
  await confirmPayment(context, { ...attempt, txId: attempt.txId })
  return true
}
