import type { KassaError } from '../errors/KassaError.js'
import { readField } from '../errors/readField.js'
import { transactionError } from '../errors/transactionError.js'

const readText = (value: unknown, key: string): string | undefined => {
  const text = readField(value, key)
  return typeof text === 'string' ? text : undefined
}

/** The reason for a transaction that the shop's own server refuses. */
export const notAllowed = 'not_allowed'

/**
 * Reads why a transaction was refused, if the service says more than a message.
 *
 * @returns `transaction.reverted`, `transaction.not-allowed` or `transaction.refused`; undefined for a
 * refusal that any call may have.
 * @source interface.md "Errors"; answers.md "Status codes"
 */
export const readTransactionRefusal = (body: unknown): KassaError | undefined => {
  const error = readField(body, 'error')
  const reason = readText(error, 'reason')
  if (reason === undefined) return undefined
  const message = readText(error, 'message') ?? readText(body, 'message') ?? reason
  if (reason === notAllowed) return transactionError('transaction.not-allowed', { message })
  const revert = readField(error, 'revert')
  if (typeof revert !== 'object' || revert === null)
    return transactionError('transaction.refused', { reason, message })
  return transactionError('transaction.reverted', {
    type: readText(revert, 'type') ?? 'contract_call',
    reason: readText(revert, 'reason') ?? message,
    reasonData: readText(revert, 'reasonData'),
    explorerLink: readText(revert, 'explorerLink'),
    simulationLink: readText(revert, 'simulationLink'),
  })
}
