import type { AnyKassaError } from '../api/index.js'
import { hasTransactionEnded } from '../api/waitForTransaction.js'
import type { ErrorCodeOf } from '../errors/context.js'
import { isKassaError } from '../errors/KassaError.js'
import { transactionError } from '../errors/transactionError.js'
import type { CreateTransactionBody, Transaction } from '../schema/index.js'
import { getMaxFeeWei } from './evm/operationFee.js'
import { isHopeless } from './transaction.js'

/** The parameters of a transaction, by the wallet's type. */
export type SendParams = CreateTransactionBody['params']

/** Every error of sending. `switch (error.code)` narrows it. */
export type TransactionFailure = Extract<
  AnyKassaError,
  { code: ErrorCodeOf<'api' | 'input' | 'transaction' | 'passkey' | 'wallet'> }
>

/** What this page has done for a transaction. The service knows the rest. */
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
 * A transaction's step, with all that a screen needs to show it.
 *
 * - `unanswered`: it was requested before a reload, and it is unknown whether it was created. Sending the
 *   same again is safe: the service creates it once.
 * - `awaiting-approval`: it needs an approval; `approve()` asks for it here.
 * - `approving`: the wallet or the passkey is asked. `maxFeeWei`, here and before, is the highest fee the
 *   signer agrees to pay: 0 if the service or an agreed paymaster pays, undefined if it cannot be read.
 * - `failed`: with a `transaction` that still awaits approval, `approve()` asks again. `isOutcomeKnown`
 *   says whether it is certain that nothing happened. If it is false, a page must not say that nothing was
 *   sent. Either an answer was lost, and sending the same again is safe; or the service cannot tell what
 *   became of a final `transaction` (`transaction.failed` with the reason `unknown`), and sending it again
 *   may do it twice.
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

/** Converts a caught value to an error of sending. */
export const toFailure = (error: unknown): TransactionFailure => {
  if (isFailure(error)) return error
  const reason = error instanceof Error ? error.name : 'unknown error'
  return transactionError('transaction.wallet-failed', { reason }, { cause: error })
}

/** Returns why a final transaction failed. */
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
 * Returns a transaction's step. The service's knowledge takes precedence.
 *
 * @param transaction - As last read; undefined before the first answer.
 * @param trouble - The error of the last request for it, if any.
 */
export const toTransactionStep = (
  state: SendingState,
  transaction: Transaction | undefined,
  trouble: AnyKassaError | null,
): TransactionStep => {
  if (state.status === 'idle' || state.status === 'creating' || state.status === 'unanswered') return state
  const { transactionId } = state
  if (transactionId === undefined) {
    // Only a transaction that was never created has no id.
    return state.status === 'failed'
      ? { status: 'failed', error: state.error, isOutcomeKnown: state.isOutcomeKnown }
      : { status: 'idle' }
  }
  if (transaction && hasTransactionEnded(transaction)) {
    if (transaction.status !== 'failed') return { status: 'succeeded', transaction }
    const error = toTransactionError(transaction)
    const isUnknown = error.code === 'transaction.failed' && error.context.reason === 'unknown'
    return { status: 'failed', error, transaction, isOutcomeKnown: !isUnknown }
  }
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
