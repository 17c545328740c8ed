import { type Hash, isAddressEqual } from 'viem'
import { getBlock, getBlockNumber, getTransactionCount } from 'viem/actions'
import type { Config } from 'wagmi'
import type { EvmPaymentAttempt } from '../../chain/index.js'
import { isAsked } from './findPayment.js'
import { getNode } from './node.js'

/** The transaction that used a payment's nonce. */
export type Replacement = {
  txId: Hash
  /**
   * `repriced`: the same payment; `cancelled`: an empty transaction to the sender; `replaced`: another
   * transaction.
   */
  kind: 'repriced' | 'cancelled' | 'replaced'
}

/**
 * Finds the transaction that used a nonce. A binary search finds the first block after which the account's
 * nonce is higher, however long ago that was.
 *
 * @param attempt.nonce - A nonce that is known to be used.
 * @returns Undefined when the node's history does not reach back that far.
 */
export const findReplacement = async (
  config: Config,
  attempt: EvmPaymentAttempt & { nonce: number },
): Promise<Replacement | undefined> => {
  const client = getNode(config, attempt.chainId)
  const { payerAddress: address, nonce } = attempt
  if (attempt.fromBlock === undefined) return undefined
  let low = BigInt(attempt.fromBlock)
  let high = await getBlockNumber(client, { cacheTime: 0 })
  try {
    while (low < high) {
      const middle = (low + high) / 2n
      if ((await getTransactionCount(client, { address, blockNumber: middle })) > nonce) high = middle
      else low = middle + 1n
    }
    const block = await getBlock(client, { blockNumber: low, includeTransactions: true })
    const found = block.transactions.find(
      (sent) => isAddressEqual(sent.from, address) && sent.nonce === nonce,
    )
    if (!found) return undefined
    if (isAsked(found, attempt)) return { txId: found.hash, kind: 'repriced' }
    const isToOneself = found.to !== null && isAddressEqual(found.to, address) && found.value === 0n
    return { txId: found.hash, kind: isToOneself ? 'cancelled' : 'replaced' }
  } catch {
    return undefined
  }
}
