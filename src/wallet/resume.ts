import { findWallet } from './findWallet.js'
import type { SendingContext } from './sendingContext.js'

/**
 * Shows a transaction that a reload interrupted, if it belongs to the current wallet. It does not ask for a
 * signature.
 */
export const resume = async (context: SendingContext, isIdle: () => boolean): Promise<void> => {
  const { attempts, store } = context
  if (!isIdle() || !attempts.get()) return
  try {
    const wallet = await findWallet(context)
    const attempt = attempts.get()
    if (!isIdle() || !attempt || wallet === undefined || !store.isShown()) return
    store.wallet = wallet
    const { transactionId, params } = attempt
    store.set(
      transactionId === undefined ? { status: 'unanswered', params } : { status: 'created', transactionId },
    )
  } catch {
    // Nothing is shown; the next `send` checks again before it sends.
  }
}
