import type { TransactionReceipt } from 'viem'
import { call } from 'viem/actions'
import type { Config } from 'wagmi'
import type { PaymentAttempt } from '../chain/index.js'
import { readRevert } from '../chain/revert.js'
import { isRevert } from '../chain/walletError.js'
import { getNode } from './node.js'

/** Finds the reason of a revert by simulating the transaction on the block in which it reverted. */
export const getRevertReason = async (
  config: Config,
  { chainId, to, data, valueWei }: PaymentAttempt,
  receipt: Pick<TransactionReceipt, 'from' | 'blockNumber'>,
  gas: bigint | undefined,
): Promise<string> => {
  try {
    await call(getNode(config, chainId), {
      account: receipt.from,
      to,
      data,
      value: BigInt(valueWei),
      blockNumber: receipt.blockNumber,
      ...(gas !== undefined && { gas }),
    })
    return 'it would pass now'
  } catch (error) {
    return isRevert(error) ? readRevert(error) : 'the network gives no reason'
  }
}
