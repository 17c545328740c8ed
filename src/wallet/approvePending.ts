import type { QueryClient } from '@tanstack/react-query'
import { approveTransaction, type Client, getTransaction, getWallet, isKassaError } from '../api/index.js'
import { transactionError } from '../errors/transactionError.js'
import { makeKey } from '../query/makeKey.js'
import type { Transaction } from '../schema/index.js'
import { findApproval, type SigningMeans, signApproval } from './approval.js'
import type { Attempt } from './attempt.js'
import { transactionQueryKey } from './transaction.js'

/** Which transaction is approved, and by what means. */
export type ApproveContext = {
  client: Client
  queryClient: QueryClient
  walletLocator: string
  transactionId: string
  means: SigningMeans
  /** What this page asked for, and of which wallet; without it the transaction's own parameters stand. */
  attempt?: Pick<Attempt, 'params' | 'wallet'> | undefined
}

/** Whether the service has no need of an approval any more, this one or any. */
const isLate = (error: unknown): boolean =>
  isKassaError(error, 'api.conflict') ||
  (isKassaError(error, 'api.bad-request') && error.context.status === 422)

/**
 * Has a transaction approved, if it waits for that. What is signed is the transaction as it was last read, once that is
 * seen to be what was asked for.
 *
 * @param onAsk - Hears who is asked, before they are; and again once they have signed, before the service is told.
 * @throws {@link KassaError} `transaction.signer-unknown`, `transaction.mismatch`, and as signing, `getWallet` and
 * `approveTransaction` do.
 */
export const approvePending = async (
  { client, queryClient, walletLocator, transactionId, means, attempt }: ApproveContext,
  onAsk: (signer: string, isSigned: boolean) => void,
): Promise<void> => {
  const call = { walletLocator, transactionId }
  const key = transactionQueryKey(client, call)
  const keep = (transaction: Transaction): Transaction => {
    // What a poll on its way would bring is older.
    void queryClient.cancelQueries({ queryKey: key, exact: true })
    queryClient.setQueryData(key, transaction)
    return transaction
  }
  const known = queryClient.getQueryData<Transaction>(key) ?? keep(await getTransaction(client, call))
  if (known.status !== 'awaiting-approval') return
  const pending = known.approvals?.pending ?? []
  const asked = findApproval(pending)
  if (!asked) throw transactionError('transaction.signer-unknown', { signer: pending[0]?.signer ?? 'nobody' })
  const address = attempt?.wallet ?? (await getWallet(client, { walletLocator })).address
  const { checkOperation } = await import('./checkOperation.js')
  await checkOperation({
    transaction: known,
    message: asked.message,
    address,
    asked: attempt?.params,
    terms: means.terms,
    config: means.config,
  })
  onAsk(asked.signer, false)
  const approval = await signApproval(asked, means)
  onAsk(asked.signer, true)
  try {
    const body = { approvals: [approval] }
    keep(await approveTransaction(client, { ...call, body, idempotencyKey: makeKey() }))
  } catch (error) {
    if (!isLate(error)) throw error
    // Approved meanwhile, in another tab say, is approved.
    if (keep(await getTransaction(client, call)).status === 'awaiting-approval') throw error
  }
}
