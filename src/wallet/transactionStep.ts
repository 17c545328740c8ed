import type { AnyKassaError } from '../api/index.js'
import { hasTransactionEnded } from '../api/waitForTransaction.js'
import type { ErrorCodeOf } from '../errors/context.js'
import { isKassaError } from '../errors/KassaError.js'
import { transactionError } from '../errors/transactionError.js'
import type { CreateTransactionBody, Transaction } from '../schema/index.js'
import { getMaxFeeWei } from './operationFee.js'
import { isHopeless } from './transaction.js'

/** What a wallet is to do, as the wallet's type takes it. */
export type SendParams = CreateTransactionBody['params']

/** Every way sending can fail; `switch (error.code)` narrows. */
export type TransactionFailure = Extract<
  AnyKassaError,
  { code: ErrorCodeOf<'api' | 'input' | 'transaction' | 'passkey' | 'wallet'> }
>

/** What this page did for a transaction. All else the service knows. */
export type SendingState =
  | { status: 'idle' }
  | { status: 'creating' }
  | { status: 'unanswered'; params: SendParams }
  | { status: 'created'; transactionId: string }
  | { status: 'approving'; transactionId: string; signer: string; isSigned: boolean }
  | {
      status: 'failed'
      error: TransactionFailure
      transactionId?: string | undefined
      isOutcomeKnown: boolean
    }

/**
 * Where a transaction stands, with all that a screen needs to show it.
 *
 * - `unanswered`: it was asked for before a reload, and whether it was created is not known. To send the same again is
 *   safe: it is created once.
 * - `awaiting-approval`: somebody has to approve it; `approve()` asks for it here.
 * - `approving`: the wallet or the passkey is asked. `maxFeeWei`, here and before, is the most that the signer agrees to
 *   pay as a fee: 0 where the service or an agreed paymaster pays, undefined where it cannot be read.
 * - `failed`: with a `transaction` that still awaits approval, `approve()` asks again. `isOutcomeKnown` says whether it
 *   is known that nothing came of it. Where it is not, an answer was lost: a page must not say that nothing was sent, and
 *   to send the same again is safe.
 */
export type TransactionStep =
  | { status: 'idle' }
  | { status: 'creating' }
  | { status: 'unanswered'; params: SendParams }
  | { status: 'reading'; transactionId: string }
  | { status: 'awaiting-approval'; transaction: Transaction; maxFeeWei: bigint | undefined }
  | { status: 'approving'; transaction: Transaction; signer: string; maxFeeWei: bigint | undefined }
  | { status: 'pending'; transaction: Transaction }
  | { status: 'succeeded'; transaction: Transaction }
  | {
      status: 'failed'
      error: TransactionFailure
      transaction?: Transaction | undefined
      isOutcomeKnown: boolean
    }

const areas = /^(api|input|transaction|passkey|wallet)\./

const isFailure = (error: unknown): error is TransactionFailure =>
  isKassaError(error) && areas.test(error.code)

/** What was caught, as one of the ways sending can fail. */
export const toFailure = (error: unknown): TransactionFailure => {
  if (isFailure(error)) return error
  const reason = error instanceof Error ? error.name : 'unknown error'
  return transactionError('transaction.wallet-failed', { reason }, { cause: error })
}

/** Why a transaction that is final failed. */
const toTransactionError = ({ id, error }: Transaction): TransactionFailure => {
  const message = error?.message ?? 'the service does not say why'
  if (!error?.revert)
    return transactionError('transaction.failed', {
      transactionId: id,
      reason: error?.reason ?? 'unknown',
      message,
    })
  const { type, reason, reasonData, explorerLink, simulationLink } = error.revert
  return transactionError('transaction.reverted', {
    type,
    reason,
    reasonData,
    explorerLink,
    simulationLink,
    transactionId: id,
  })
}

/**
 * Says where a transaction stands: what the service knows of it comes first.
 *
 * @param transaction - As last read; undefined before the first answer.
 * @param trouble - Of the last request for it, if that failed.
 */
export const toTransactionStep = (
  state: SendingState,
  transaction: Transaction | undefined,
  trouble: AnyKassaError | null,
): TransactionStep => {
  if (state.status === 'idle' || state.status === 'creating' || state.status === 'unanswered') return state
  const { transactionId } = state
  if (transactionId === undefined) {
    // Only what was never created has no id.
    return state.status === 'failed'
      ? { status: 'failed', error: state.error, isOutcomeKnown: state.isOutcomeKnown }
      : { status: 'idle' }
  }
  if (transaction && hasTransactionEnded(transaction))
    return transaction.status === 'failed'
      ? { status: 'failed', error: toTransactionError(transaction), transaction, isOutcomeKnown: true }
      : { status: 'succeeded', transaction }
  if (trouble && isHopeless(trouble))
    return { status: 'failed', error: toFailure(trouble), transaction, isOutcomeKnown: false }
  if (!transaction) return { status: 'reading', transactionId }
  if (transaction.status !== 'awaiting-approval') return { status: 'pending', transaction }
  if (state.status === 'failed')
    return { status: 'failed', error: state.error, transaction, isOutcomeKnown: state.isOutcomeKnown }
  const maxFeeWei = getMaxFeeWei(transaction)
  return state.status === 'approving'
    ? { status: 'approving', transaction, signer: state.signer, maxFeeWei }
    : { status: 'awaiting-approval', transaction, maxFeeWei }
}
