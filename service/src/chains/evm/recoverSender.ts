import type { PublicClient } from 'viem'
import { createBroadcast, type SenderOptions } from './broadcast.js'
import { readRevertData } from './readRevert.js'
import { settleReopened } from './settleReopened.js'
import { decodeRevert } from './wallets/decodeRevert.js'
import { keepRevert } from './wallets/keptErrors.js'
import { recordMissedSpends } from './wallets/recordMissedSpends.js'

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
