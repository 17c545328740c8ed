import { notAllowed } from '../api/readTransactionRefusal.js'
import { within } from '../api/within.js'
import { serverError } from '../errors/serverError.js'
import { Refusal } from './Refusal.js'
import type { TransactionParams } from './readWalletBody.js'

/** A transaction that a signed-in user asks for. */
export type TransactionToCheck = TransactionParams & {
  /** As the shop's own session names them. */
  user: string
  /** The browser's request, for its cookies and headers; its body has been read. */
  request: Request
}

/** A shop's own function: whether a transaction may be; false or a sentence for the user stops it. */
export type CheckTransaction = (
  transaction: TransactionToCheck,
) => boolean | string | Promise<boolean | string>

/**
 * Asks the shop whether a transaction may be.
 *
 * @throws {@link Refusal} 403; whatever the function throws.
 */
export const checkTransaction = async (
  canSend: CheckTransaction,
  transaction: TransactionToCheck,
  timeoutMs: number,
): Promise<void> => {
  const work = Promise.resolve().then(() => canSend(transaction))
  const late = () =>
    serverError('cart.draft-invalid', {
      name: 'canSend',
      reason: `it took longer than ${timeoutMs / 1000} s`,
    })
  const verdict: unknown = await within(timeoutMs, work, late)
  // Nothing but a clear yes lets money move: a check that forgot to return is no yes.
  if (verdict === true) return
  const message = typeof verdict === 'string' ? verdict : 'The shop does not send this'
  throw new Refusal(403, message, {}, { reason: notAllowed })
}
