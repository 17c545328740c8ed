import { isAddressEqual, type TransactionReceipt } from 'viem'
import type { SenderOptions } from './broadcast.js'
import { readSignedCall } from './signCall.js'
import { findSigned, type SignedTransaction } from './signed.js'

/** Whose transactions they are, and how a contract's refusal is put into words. */
export type ExplainOptions = Pick<SenderOptions, 'db' | 'client' | 'sender'> & {
  /** Undefined for what is no contract's refusal. */
  explain(error: unknown): string | undefined
}

/** Why a transaction in a block did not do what was wanted; undefined when it did. */
export const explainEnd = async (
  { db, client, sender, explain }: ExplainOptions,
  signed: SignedTransaction,
  receipt: TransactionReceipt,
): Promise<string | undefined> => {
  const { to, data, value } = readSignedCall(signed)
  // What was given up had its nonce used up by a transaction of ours to ourselves.
  if (receipt.to && isAddressEqual(receipt.to, sender)) {
    const reason = (await findSigned(db, signed.key))?.revertReason
    if (reason != null || !isAddressEqual(to, sender)) return reason ?? 'given up'
  }
  if (receipt.status === 'success') return undefined
  // What came before it in its block may be why, or what came after it.
  for (const blockNumber of [receipt.blockNumber, receipt.blockNumber - 1n]) {
    try {
      await client.call({ account: sender, to, data, value, blockNumber })
    } catch (error) {
      return explain(error) ?? 'reverted'
    }
  }
  return 'reverted'
}
