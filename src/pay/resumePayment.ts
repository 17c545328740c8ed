import type { PaymentAttempt } from '../chain/index.js'
import { payError } from '../errors/payError.js'
import { isPaymentReturned, isPaymentSeen } from '../order/payment.js'
import type { Order } from '../schema/index.js'
import { confirmPayment } from './confirmPayment.js'
import { openFamily } from './openFamily.js'
import type { SentAttempt, TaskContext } from './payContext.js'
import { getTxId } from './signature.js'
import { uncertain } from './uncertain.js'

/** Whether an attempt has a transaction that can be followed. */
export const isSent = (attempt: PaymentAttempt): attempt is SentAttempt =>
  attempt.txId !== undefined && !attempt.isDropped

/** Checks the chain for open attempts once more before the wallet is asked again. */
const findOpen = async (
  context: TaskContext,
  order: Order,
  attempts: PaymentAttempt[],
): Promise<SentAttempt | undefined> => {
  for (const attempt of attempts) {
    const family = await openFamily(context, attempt).catch(() => undefined)
    if (!family?.canReach(attempt)) continue
    const { txId, isOver } = await family.find(attempt).catch((cause: unknown) => {
      throw payError('pay.chain-unavailable', { chain: order.payment.method ?? '' }, { cause })
    })
    if (isOver) context.attemptStore.remove(attempt)
    if (txId !== undefined && !isPaymentReturned(order, txId))
      return { ...attempt, txId, isDropped: undefined }
  }
  return undefined
}

/**
 * Resumes what came before: a payment the service has seen, or an attempt that a reload interrupted.
 *
 * @param options.isAgain - Whether the buyer chooses to pay although an earlier attempt is uncertain.
 * @returns Whether the order is paid, so that the wallet must not be asked.
 * @throws {@link KassaError} `pay.uncertain` or `pay.dropped` for an attempt that may be on its way;
 * `pay.reverted`, `pay.cancelled`, `pay.replaced`.
 */
export const resumePayment = async (
  context: TaskContext,
  order: Order,
  options: { isAgain?: boolean | undefined } = {},
): Promise<boolean> => {
  const { attemptStore, orderId, setStep } = context
  const attempts = attemptStore.list(orderId)
  if (isPaymentSeen(order)) {
    const known = attempts.find(isSent)
    setStep({ status: 'paid', txId: order.payment.received?.txId ?? (known && getTxId(known)) })
    return true
  }
  // An attempt that the service has returned is over; any other attempt is still open.
  const [returned, open] = split(attempts, ({ txId }) => txId !== undefined && isPaymentReturned(order, txId))
  for (const attempt of returned) attemptStore.remove(attempt)
  const sent = open.findLast(isSent) ?? (options.isAgain ? await findOpen(context, order, open) : undefined)
  if (sent) {
    attemptStore.put(sent)
    await confirmPayment(context, sent)
    return true
  }
  const last = open.at(-1)
  if (last && !options.isAgain) throw uncertain(last)
  return false
}

const split = <Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] => [
  items.filter(isFirst),
  items.filter((item) => !isFirst(item)),
]
