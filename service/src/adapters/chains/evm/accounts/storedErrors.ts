import { toRevertError } from 'kassa/engine'
import type { TransactionError } from 'kassa/schema'
import type { WalletResult, WriteResult } from '#base/ports/write.js'
import { untoldReason } from '../outbox/createFinishWrite.js'
import type { Refusal } from '../outbox/toResult.js'

/**
 * Serializes a revert as the text that the outbox stores as a reason, so that every later call returns the
 * same error.
 */
export const keepRevert = (reason: string, answer?: string): string =>
  JSON.stringify(toRevertError('contract_call', reason, answer))

const readKept = ({ reason, txId }: Refusal): TransactionError => {
  if (reason === 'reverted') return toRevertError('contract_call', 'reverted without a reason')
  if (reason.startsWith('{"reason"')) return JSON.parse(reason)
  if (reason === untoldReason) {
    const message = `The transaction may have landed on the chain: ${reason}. Compare the wallet's balances before you send it again.`
    return { reason: 'unknown', message }
  }
  if (txId === undefined) {
    return { reason: 'build_failed', message: `The transaction could not be built: ${reason}.` }
  }
  const message = `The transaction did not land on the chain: ${reason}.`
  return { reason: 'failed_to_land_on_chain', message }
}

/** Converts the outbox's result of an account's call. */
export const toWalletResult = (result: WriteResult): WalletResult => {
  if (result.status === 'succeeded') return { status: 'success', txId: result.txId }
  const error = readKept(result)
  // If another transaction replaced it, none of its hashes is on chain.
  const isOnChain = result.txId !== undefined && error.reason === 'execution_reverted'
  return { status: 'failed', error, ...(isOnChain && { txId: result.txId }) }
}
