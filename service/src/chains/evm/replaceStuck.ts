import { parseTransaction } from 'viem'
import type { BroadcastOptions } from './broadcast.js'
import { hashesOf, replaceSigned, type SignedTransaction, toHex } from './signed.js'

/** How long a transaction may be in nobody's block at the fees it was last signed with. */
const patienceMs = 3 * 60_000

const most = (one: bigint, other: bigint): bigint => (one > other ? one : other)

/** Nodes take another transaction with the same nonce only when each fee is an eighth higher. */
const raise = (fee: bigint): bigint => (fee * 9n) / 8n + 1n

/**
 * Signs the call that holds up all others once more, with the same nonce and higher fees, when it is old and the
 * chain asks for more than it offers. Of all that is signed with one nonce, the chain takes one. While the chain asks
 * for no more the fees stay, however long it stands still: they would grow without end.
 */
export const replaceStuck = async (
  { db, log, client, account, chain }: BroadcastOptions,
  signed: SignedTransaction,
): Promise<SignedTransaction> => {
  const patience = patienceMs * hashesOf(signed).length
  if (Date.now() - signed.createdAt.getTime() < patience) return signed
  const {
    to,
    data,
    gas,
    maxFeePerGas = 0n,
    maxPriorityFeePerGas = 0n,
  } = parseTransaction(toHex(signed.signedTransaction))
  const asked = await client.estimateFeesPerGas()
  if (asked.maxFeePerGas <= maxFeePerGas && asked.maxPriorityFeePerGas <= maxPriorityFeePerGas) return signed
  const { key, nonce, txId } = signed
  log.warn({ chain, key, nonce, txId }, 'a transaction offers too little; signing it again with higher fees')
  return replaceSigned(db, signed, () =>
    account.signTransaction({
      type: 'eip1559',
      chainId: client.chain?.id ?? 0,
      nonce,
      to,
      data,
      gas,
      maxFeePerGas: most(asked.maxFeePerGas * 2n, raise(maxFeePerGas)),
      maxPriorityFeePerGas: most(asked.maxPriorityFeePerGas, raise(maxPriorityFeePerGas)),
    }),
  )
}
