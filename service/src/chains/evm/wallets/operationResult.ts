import type { TransactionError, UserOperation } from 'kassa/schema'
import {
  encodeEventTopics,
  type Hex,
  isAddressEqual,
  type PublicClient,
  parseEventLogs,
  type TransactionReceipt,
} from 'viem'
import type { OperationResult } from '../../walletPort.js'
import { walletDeployments } from '../addresses.js'
import { EntryPoint } from '../artifacts/EntryPoint.js'
import { findLog } from '../findDone.js'
import { decodeRevert, describeRevert } from './decodeRevert.js'

/** A signed operation, its hash, and the errors that its calls may be answered with. */
export type SignedOperation = { operation: UserOperation; hash: Hex; errors: readonly unknown[] }

/** What the chain says of an operation; `shallow` while it may still take it back. */
export type OperationSight = OperationResult | 'shallow' | 'absent'

const address = walletDeployments.entryPoint.address

/** A revert in the calls of an operation. */
const toError = (data: Hex | undefined, errors: readonly unknown[]): TransactionError => ({
  reason: 'execution_reverted',
  ...describeRevert('contract_call', decodeRevert(data, errors), data),
})

/** Reads what became of an operation in a transaction; undefined if it was not in it. */
export const readOperationResult = (
  { logs, transactionHash: txId }: Pick<TransactionReceipt, 'logs' | 'transactionHash'>,
  { hash, errors }: SignedOperation,
): OperationResult | undefined => {
  // Any contract can write a log that looks like the EntryPoint's.
  const own = logs.filter((log) => isAddressEqual(log.address, address))
  const events = parseEventLogs({ ...EntryPoint, logs: own })
  const end = events.find((each) => each.eventName === 'UserOperationEvent' && each.args.userOpHash === hash)
  if (end?.eventName !== 'UserOperationEvent') return undefined
  if (end.args.success) return { status: 'success', txId }
  const revert = events.find(
    (each) => each.eventName === 'UserOperationRevertReason' && each.args.userOpHash === hash,
  )
  const data = revert?.eventName === 'UserOperationRevertReason' ? revert.args.revertReason : undefined
  return { status: 'failed', txId, error: toError(data, errors) }
}

/** Looks for an operation on chain, whoever sent it. Its nonce tells first whether there is anything to find. */
export const findOperation = async (
  client: PublicClient,
  { chain, confirmations }: { chain: string; confirmations: number },
  signed: SignedOperation,
): Promise<OperationSight> => {
  const { sender, nonce } = signed.operation
  const args = [sender as Hex, BigInt(nonce) >> 64n] as const
  const next = await client.readContract({ address, ...EntryPoint, functionName: 'getNonce', args })
  if (next <= BigInt(nonce)) return 'absent'
  const head = await client.getBlockNumber({ cacheTime: 0 })
  const topics = encodeEventTopics({
    ...EntryPoint,
    eventName: 'UserOperationEvent',
    args: { userOpHash: signed.hash },
  })
  const log = await findLog(client, chain, { address, topics }, head)
  if (!log?.transactionHash || log.blockNumber === null) return 'absent'
  if (head - BigInt(log.blockNumber) + 1n < BigInt(confirmations)) return 'shallow'
  const receipt = await client.getTransactionReceipt({ hash: log.transactionHash })
  return readOperationResult(receipt, signed) ?? 'absent'
}
