import type { PaymentAttempt } from '../chain/index.js'
import { findPayment } from './findPayment.js'
import { isPageHidden, sleepUntilReturn } from './page.js'
import type { PayContext } from './payContext.js'
import type { Wait } from './wait.js'

const firstPauseMs = 2_000
const longestPauseMs = 60_000

/** How a payment is searched. */
export type SearchOptions = {
  /** Hears after every look whether any transaction of the payer waits for its block. */
  onLook?: ((hasOpenTransaction: boolean) => void) | undefined
  /** How long to wait before the first look. */
  delayMs?: number | undefined
}

/**
 * Looks for a payment that went to the wallet and of which nobody knows more. Looks at once when the buyer comes
 * back to the page; rests while they are away.
 *
 * @returns Its hash, as soon as it is seen.
 */
export const searchPayment = (
  { config }: Pick<PayContext, 'config'>,
  attempt: PaymentAttempt,
  { onLook = () => undefined, delayMs = 0 }: SearchOptions = {},
): Wait<string> => {
  let isStopped = false

  const look = async (): Promise<string | undefined> => {
    const { txId, hasOpenTransaction } = await findPayment(config, attempt)
    if (txId === undefined && !isStopped) onLook(hasOpenTransaction)
    return txId
  }

  const search = async (): Promise<string> => {
    await sleepUntilReturn(delayMs)
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
      if (isStopped) return new Promise(() => undefined)
      // A node that is away has said nothing; it is asked again.
      const txId = isPageHidden() ? undefined : await look().catch(() => undefined)
      if (txId !== undefined && !isStopped) return txId
      await sleepUntilReturn(pauseMs)
    }
  }

  return {
    promise: search(),
    stop: () => {
      isStopped = true
    },
  }
}
