import type { KassaError } from '../errors/KassaError.js'
import { transactionError } from '../errors/transactionError.js'

const read = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined

const readText = (value: unknown, key: string): string | undefined => {
  const text = read(value, key)
  return typeof text === 'string' ? text : undefined
}

/**
 * Reads why a transaction was not taken, where the service says more of it than a message.
 *
 * @returns `transaction.reverted` or `transaction.refused`; undefined for a refusal as every call may have it.
 * @source interface.md "Errors"; answers.md "Status codes"
 */
export const readTransactionRefusal = (body: unknown): KassaError | undefined => {
  const error = read(body, 'error')
  const reason = readText(error, 'reason')
  if (reason === undefined) return undefined
  const message = readText(error, 'message') ?? readText(body, 'message') ?? reason
  const revert = read(error, 'revert')
  if (typeof revert !== 'object' || revert === null)
    return transactionError('transaction.refused', { reason, message })
  return transactionError('transaction.reverted', {
    type: readText(revert, 'type') ?? 'contract_call',
    reason: readText(revert, 'reason') ?? message,
    reasonData: readText(revert, 'reasonData'),
    explorerLink: readText(revert, 'explorerLink'),
  })
}
