import type { Hash } from 'viem'
import type { Config } from 'wagmi'
import { getCallsStatus } from 'wagmi/actions'
import { payError } from '../../errors/payError.js'

/**
 * Asks the wallet for the status of a bundle of calls (EIP-5792).
 *
 * @returns The hash of its transaction; undefined while there is none, or while the wallet does not answer.
 * @throws {@link KassaError} `pay.wallet-failed` when the wallet has abandoned the bundle, `pay.reverted`
 * when it reverted.
 */
export const findCalls = async (config: Config, id: string): Promise<Hash | undefined> => {
  const answer = await getCallsStatus(config, { id }).catch(() => undefined)
  const txId = answer?.receipts?.[0]?.transactionHash
  if (answer?.status !== 'failure') return txId
  throw txId === undefined
    ? payError('pay.wallet-failed', { reason: 'it abandoned the payment' })
    : payError('pay.reverted', { txId, reason: 'the wallet gives no reason' })
}
