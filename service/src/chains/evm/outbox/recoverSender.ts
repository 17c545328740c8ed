import type { PublicClient } from 'viem'
import { decodeRevert } from '../accounts/decodeRevert.js'
import { keepRevert } from '../accounts/keptErrors.js'
import { recordMissedSpends } from '../accounts/recordMissedSpends.js'
import { readRevertData } from '../connection/readRevert.js'
import { createBroadcast, type SenderOptions } from './broadcast.js'
import { settleReopened } from './settleReopened.js'

const explain = (error: unknown): string | undefined => {
  const revert = readRevertData(error)
  return revert && keepRevert(decodeRevert(revert.data), revert.data)
}

/**
 * Resends what the chain has lost of an account whose key the service keeps. The signed bytes suffice for
 * that. A transaction that had ended ends again once the chain has it.
 */
export const recoverSender = async (
  options: Omit<SenderOptions, 'renew'> & { confirmations: number; client: PublicClient },
): Promise<void> => {
  await createBroadcast(options).sendLost()
  await settleReopened({ ...options, explain })
  await recordMissedSpends({ ...options, address: options.sender })
}
