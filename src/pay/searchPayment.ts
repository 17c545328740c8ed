import type { PaymentAttempt } from '../chain/index.js'
import type { Finding } from './family.js'
import { openFamily } from './openFamily.js'
import { isPageHidden, sleepUntilReturn } from './page.js'
import type { FamilyAccess } from './payContext.js'
import type { Wait } from './wait.js'

const firstPauseMs = 2_000
const longestPauseMs = 60_000

/** Options for searching a payment. */
export type SearchOptions = {
  /** Called after every look that has not found the payment. */
  onLook?: ((finding: Finding) => void) | undefined
  /** How long to wait before the first look. */
  delayMs?: number | undefined
}

/**
 * Searches a payment whose outcome is unknown after the wallet was asked. It looks at once when the buyer
 * returns to the page, and pauses while the page is hidden.
 *
 * @returns Its hash as soon as it is found.
 */
export const searchPayment = (
  parameters: FamilyAccess,
  attempt: PaymentAttempt,
  { onLook = () => undefined, delayMs = 0 }: SearchOptions = {},
): Wait<string> => {
  let isStopped = false

  const look = async (): Promise<string | undefined> => {
    const family = await openFamily(parameters, attempt)
    const finding = await family.find(attempt)
    if (finding.txId === undefined && !isStopped) onLook(finding)
    return finding.txId
  }

  const search = async (): Promise<string> => {
    await sleepUntilReturn(delayMs)
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
      if (isStopped) return new Promise(() => undefined)
      // An unavailable node says nothing, so it is asked again.
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
