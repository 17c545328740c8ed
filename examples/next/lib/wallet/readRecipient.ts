import type { TransactionStep } from 'kassa/wallet'
import { type Address, getAddress, isAddress } from 'viem'
import { isRecord } from '../read'

const findParams = (step: TransactionStep): unknown => {
  if (step.status === 'unanswered') return step.params
  return 'transaction' in step ? step.transaction?.params : undefined
}

/**
 * Returns the recipient of a pending transfer from the service's transaction, because a reload loses the
 * page's own state.
 */
export const readRecipient = (step: TransactionStep): Address | undefined => {
  const params = findParams(step)
  if (!isRecord(params)) return undefined
  const call: unknown = Array.isArray(params.calls) ? params.calls[0] : params.call
  const to: unknown = isRecord(call) && Array.isArray(call.args) ? call.args[1] : undefined
  return typeof to === 'string' && isAddress(to, { strict: false }) ? getAddress(to) : undefined
}
