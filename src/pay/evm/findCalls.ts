import { type Hash, isHash } from 'viem'
import type { Config } from 'wagmi'
import { getConnectorClient } from 'wagmi/actions'
import { readProperty } from '../../chain/evm/causes.js'
import { payError } from '../../errors/payError.js'

// viem's own function for it brings what prepares and sends transactions.
const getStatus = async (config: Config, id: string): Promise<unknown> => {
  const client = await getConnectorClient(config)
  return client.request({ method: 'wallet_getCallsStatus', params: [id] })
}

/** Whether no transaction of the bundle will succeed: codes from 300 on, of which 400 is a bundle that was abandoned. */
const isFailure = (status: unknown): boolean => typeof status === 'number' && status >= 300 && status < 700

/**
 * Asks the wallet for the status of a bundle of calls (EIP-5792).
 *
 * @returns The hash of its transaction; undefined while there is none, or while the wallet does not answer.
 * @throws {@link KassaError} `pay.wallet-failed` when the wallet has abandoned the bundle, `pay.reverted`
 * when it reverted.
 */
export const findCalls = async (config: Config, id: string): Promise<Hash | undefined> => {
  const answer = await getStatus(config, id).catch(() => undefined)
  const receipts = readProperty(answer, 'receipts')
  const hash = Array.isArray(receipts) ? readProperty(receipts[0], 'transactionHash') : undefined
  const txId = typeof hash === 'string' && isHash(hash) ? hash : undefined
  if (!isFailure(readProperty(answer, 'status'))) return txId
  throw txId === undefined
    ? payError('pay.wallet-failed', { reason: 'it abandoned the payment' })
    : payError('pay.reverted', { txId, reason: 'the wallet gives no reason' })
}
