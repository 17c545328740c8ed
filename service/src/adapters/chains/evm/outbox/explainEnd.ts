import { isAddressEqual, type TransactionReceipt } from 'viem'
import type { SenderOptions } from './broadcast.js'
import { readSignedCall } from './signCall.js'
import { findSigned, type SignedTransaction } from './signed.js'

/** The sender of the transactions, and how to describe a contract's refusal. */
export type ExplainOptions = Pick<SenderOptions, 'db' | 'client' | 'sender'> & {
  /** Returns `undefined` if the error is not a contract's refusal. */
  explain(error: unknown): string | undefined
}

/** Returns why a transaction in a block did not have its effect, or `undefined` if it did. */
export const explainEnd = async (
  { db, client, sender, explain }: ExplainOptions,
  signed: SignedTransaction,
  receipt: TransactionReceipt,
): Promise<string | undefined> => {
  const { to, data, value } = readSignedCall(signed)
  // An abandoned transaction's nonce is used up by a transaction of the sender to itself.
  if (receipt.to && isAddressEqual(receipt.to, sender)) {
    const reason = (await findSigned(db, signed.key))?.revertReason
    if (reason != null || !isAddressEqual(to, sender)) return reason ?? 'given up'
  }
  if (receipt.status === 'success') return undefined
  // The cause may be a transaction before it in its block, or one after it.
  for (const blockNumber of [receipt.blockNumber, receipt.blockNumber - 1n]) {
    try {
      await client.call({ account: sender, to, data, value, blockNumber })
    } catch (error) {
      return explain(error) ?? 'reverted'
    }
  }
  return 'reverted'
}
