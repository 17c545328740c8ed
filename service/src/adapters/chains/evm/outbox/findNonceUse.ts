import { type Address, isAddressEqual, type PublicClient } from 'viem'
import { classifyNodeError } from '../connection/rpc.js'

type NonceUse = { hash: string; blockNumber: bigint }

/**
 * Returns the first block after which an account's transaction count exceeds a nonce. At the head, it does.
 */
const findBlock = async (client: PublicClient, address: Address, nonce: number): Promise<bigint> => {
  const isUsedAt = async (blockNumber: bigint): Promise<boolean> =>
    (await client.getTransactionCount({ address, blockNumber })) > nonce
  let high = await client.getBlockNumber({ cacheTime: 0 })
  let low = high
  // Searches backwards in growing steps, because nodes keep recent state and may lack older state.
  for (let step = 1n; low > 0n && (await isUsedAt(low)); step *= 2n) {
    high = low
    low = low > step ? low - step : 0n
  }
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (await isUsedAt(middle)) high = middle
    else low = middle
  }
  return high
}

/**
 * Finds the transaction that has used an account's nonce.
 *
 * @returns `undefined` if the node does not serve the past state.
 */
export const findNonceUse = async (
  client: PublicClient,
  address: Address,
  nonce: number,
): Promise<NonceUse | undefined> => {
  try {
    const blockNumber = await findBlock(client, address, nonce)
    const { transactions } = await client.getBlock({ blockNumber, includeTransactions: true })
    const use = transactions.find((sent) => isAddressEqual(sent.from, address) && sent.nonce === nonce)
    return use && { hash: use.hash, blockNumber }
  } catch (error) {
    const failure = classifyNodeError(error)
    if (failure !== undefined && failure !== 'unserved') throw error
    return undefined
  }
}
