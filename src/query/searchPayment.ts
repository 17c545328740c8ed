import { isHash } from 'viem'
import { getTransaction } from 'viem/actions'
import type { PaymentAttempt } from '../chain/index.js'
import { findCalls } from './findCalls.js'
import { findPayment } from './findPayment.js'
import { getNode } from './node.js'
import { isPageHidden, sleepUntilReturn } from './page.js'
import type { PayContext } from './payContext.js'

const firstPauseMs = 2_000
const longestPauseMs = 60_000

/** A search that can be given up. */
export type Search = { promise: Promise<string>; stop(): void }

/**
 * Looks for a payment that went to the wallet and of which nobody knows more: in blocks, among the transactions
 * that wait, and in the wallet itself. Looks at once when the buyer comes back to the page; rests while they
 * are away.
 *
 * @param onLook - Hears after every look whether any transaction of the payer waits for its block.
 * @returns Its hash, as soon as it is seen.
 */
export const searchPayment = (
  { config }: Pick<PayContext, 'config'>,
  attempt: PaymentAttempt,
  onLook: (hasOpenTransaction: boolean) => void = () => undefined,
): Search => {
  let isStopped = false

  const look = async (): Promise<string | undefined> => {
    const { txId: hash, callsId } = attempt
    if (callsId !== undefined) {
      const txId = await findCalls(config, callsId).catch(() => undefined)
      if (txId !== undefined) return txId
    }
    // A transaction the network had forgotten may have been sent to it again.
    if (hash !== undefined && isHash(hash)) {
      const known = await getTransaction(getNode(config, attempt.chainId), { hash }).catch(() => undefined)
      if (known) return hash
    }
    const { txId, hasOpenTransaction } = await findPayment(config, attempt)
    if (txId === undefined && !isStopped) onLook(hasOpenTransaction)
    return txId
  }

  const search = async (): Promise<string> => {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
      // A node that is away has said nothing; it is asked again.
      const txId = isPageHidden() ? undefined : await look().catch(() => undefined)
      if (txId !== undefined && !isStopped) return txId
      await sleepUntilReturn(pauseMs)
      if (isStopped) return new Promise(() => undefined)
    }
  }

  return {
    promise: search(),
    stop: () => {
      isStopped = true
    },
  }
}
