import { getTransaction } from '../api/index.js'
import { hasTransactionEnded } from '../api/waitForTransaction.js'
import { getKnown, type SendingContext } from './sendingContext.js'
import type { SendParams } from './transactionStep.js'

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/**
 * Finds the transaction that a repeated click refers to: one in progress, or the same one awaiting approval.
 */
export const findOpen = async (context: SendingContext, params: SendParams): Promise<string | undefined> => {
  const { client, walletLocator, attempts, store } = context
  const id = store.getId() ?? attempts.get()?.transactionId
  if (id === undefined) return undefined
  const known = getKnown(context, id) ?? (await getTransaction(client, { walletLocator, transactionId: id }))
  if (known.status !== 'awaiting-approval') return hasTransactionEnded(known) ? undefined : id
  return isSame(attempts.get()?.params, params) ? id : undefined
}
