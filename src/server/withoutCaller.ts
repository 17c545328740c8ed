import { readField } from '../errors/readField.js'
import { readJson } from './passOn.js'

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const withoutMetadata = (approval: unknown): unknown => {
  if (!isFields(approval)) return approval
  const { metadata: _, ...rest } = approval
  return rest
}

const withoutCallers = (transaction: unknown): unknown => {
  const approvals = readField(transaction, 'approvals')
  if (!isFields(transaction) || !isFields(approvals) || !Array.isArray(approvals.submitted))
    return transaction
  return { ...transaction, approvals: { ...approvals, submitted: approvals.submitted.map(withoutMetadata) } }
}

/**
 * Removes from transactions the address and client that approved them. Those are the shop's own server's,
 * which visitors need not know.
 *
 * @param text - Any answer's body; without transactions it stays unchanged.
 */
export const withoutCaller = (text: string): string => {
  const answer = readJson(text)
  if (isFields(answer) && Array.isArray(answer.transactions))
    return JSON.stringify({ ...answer, transactions: answer.transactions.map(withoutCallers) })
  const shown = withoutCallers(answer)
  return shown === answer ? text : JSON.stringify(shown)
}
