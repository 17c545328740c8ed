import type { QueryClient } from '@tanstack/react-query'
import { approveTransaction, type Client, getTransaction, getWallet, isKassaError } from '../api/index.js'
import { makeKey } from '../api/makeKey.js'
import { transactionError } from '../errors/transactionError.js'
import type { Transaction } from '../schema/index.js'
import type { Attempt } from './attempt.js'
import { findApproval, type SigningMeans, signApproval } from './evm/approval.js'
import { transactionQueryKey } from './transaction.js'

/** The transaction to approve, and the means to sign. */
export type ApproveContext = {
  client: Client
  queryClient: QueryClient
  walletLocator: string
  transactionId: string
  means: SigningMeans
  /** This page's own request and wallet; without it the transaction's own parameters count. */
  attempt?: Pick<Attempt, 'params' | 'wallet'> | undefined
}

/** Whether the service no longer needs this or any approval. */
const isLate = (error: unknown): boolean =>
  isKassaError(error, 'api.conflict') ||
  (isKassaError(error, 'api.bad-request') && error.context.status === 422)

/**
 * Approves a transaction if it awaits approval. It signs the transaction as last read, after checking it
 * against the request.
 *
 * @param onAsk - Called with the signer before it is asked, and again after it has signed, before the
 * approval is sent.
 * @throws {@link KassaError} `transaction.signer-unknown`, `transaction.mismatch`, and the errors of signing,
 * `getWallet` and `approveTransaction`.
 */
export const approvePending = async (
  { client, queryClient, walletLocator, transactionId, means, attempt }: ApproveContext,
  onAsk: (signer: string, isSigned: boolean) => void,
): Promise<void> => {
  const call = { walletLocator, transactionId }
  const key = transactionQueryKey(client, call)
  const keep = (transaction: Transaction): Transaction => {
    // The answer of a poll in progress would be older.
    void queryClient.cancelQueries({ queryKey: key, exact: true })
    queryClient.setQueryData(key, transaction)
    return transaction
  }
  const known = queryClient.getQueryData<Transaction>(key) ?? keep(await getTransaction(client, call))
  if (known.status !== 'awaiting-approval') return
  const pending = known.approvals?.pending ?? []
  const asked = findApproval(pending)
  if (!asked)
    throw transactionError('transaction.signer-unknown', { signer: pending[0]?.signer ?? 'no signer' })
  const address = attempt?.wallet ?? (await getWallet(client, { walletLocator })).address
  const { checkOperation } = await import('./evm/checkOperation.js')
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
    // The transaction was approved meanwhile, for example in another tab.
    if (keep(await getTransaction(client, call)).status === 'awaiting-approval') throw error
  }
}
