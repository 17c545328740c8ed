import { isKassaError } from '../errors/KassaError.js'
import { isPageHidden, sleepUntilReturn } from './page.js'

const longestPauseMs = 15_000

/**
 * Looks for a sent payment until it is found, with pauses that grow, and only while the page is visible.
 *
 * @param look - Returns the transaction once a block has it. An error that is not of this package comes from an
 * unavailable node and says nothing about the payment.
 * @param options.pauseMs - The first pause.
 * @returns Its transaction, or `undefined` once `isStopped` returns true. Rejects with the {@link KassaError} of a look.
 */
export const keepLooking = async (
  look: () => Promise<string | undefined>,
  { pauseMs: firstMs, isStopped }: { pauseMs: number; isStopped: () => boolean },
): Promise<string | undefined> => {
  for (let pauseMs = firstMs; !isStopped(); pauseMs = Math.min(pauseMs * 1.1, longestPauseMs)) {
    try {
      const txId = isPageHidden() ? undefined : await look()
      if (txId !== undefined) return txId
    } catch (error) {
      if (isKassaError(error)) throw error
    }
    await sleepUntilReturn(pauseMs)
  }
  return undefined
}
