import { type Hash, isAddressEqual } from 'viem'
import { getBlock, getBlockNumber, getTransactionCount } from 'viem/actions'
import type { Config } from 'wagmi'
import type { PaymentAttempt } from '../chain/index.js'
import { isAsked } from './findPayment.js'
import { getNode } from './node.js'

/** What took a payment's nonce. */
export type Replacement = {
  txId: Hash
  /** `repriced`: the same payment; `cancelled`: nothing, sent to oneself; `replaced`: something else. */
  kind: 'repriced' | 'cancelled' | 'replaced'
}

/**
 * Finds the transaction that used up a nonce: by halving, the first block after which the account's count is
 * higher. It is found however long ago nobody looked.
 *
 * @param attempt.nonce - A nonce that is known to be used up.
 * @returns Undefined where the node keeps no history that far back.
 */
export const findReplacement = async (
  config: Config,
  attempt: PaymentAttempt & { nonce: number },
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
