import { withTimeout } from '../api/withTimeout.js'
import { isKassaError, type KassaError } from '../errors/KassaError.js'
import { payError } from '../errors/payError.js'
import type { PaymentParameters, PaymentToApprove, Verdict } from './payContext.js'

// A check that hangs must not block the order forever.
const patienceMs = 60_000
const late = 'its own check took too long'

const veto = (reason: string, cause?: unknown): KassaError => payError('pay.vetoed', { reason }, { cause })

/**
 * Calls the app's own check of a payment, after all checks of this package and before the wallet is asked.
 *
 * @throws {@link KassaError} `pay.vetoed`. An error the app throws is rethrown.
 */
export const approvePayment = async (
  { onBeforePay }: Pick<PaymentParameters, 'onBeforePay'>,
  payment: PaymentToApprove,
): Promise<void> => {
  if (!onBeforePay) return
  let verdict: Verdict
  try {
    verdict = await withTimeout(patienceMs, Promise.resolve(onBeforePay(payment)), () => veto(late))
  } catch (error) {
    throw isKassaError(error) ? error : veto('its own check failed', error)
  }
  if (verdict === false) throw veto('its own check did not pass')
  if (typeof verdict === 'string') throw payError('pay.vetoed', { reason: verdict, sentence: verdict })
}
