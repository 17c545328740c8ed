import { toRevertError } from 'kassa/engine'
import type { UserOperation } from 'kassa/schema'
import {
  decodeEventLog,
  encodeEventTopics,
  getAddress,
  type Hex,
  isAddressEqual,
  type PublicClient,
  parseEventLogs,
  type RpcLog,
  type TransactionReceipt,
} from 'viem'
import { ServiceError } from '#base/errors.js'
import type { WalletResult } from '#base/ports/write.js'
import { EntryPoint } from '../artifacts/EntryPoint.js'
import { walletDeployments } from '../connection/addresses.js'
import { decodeRevert } from '../connection/readRevert.js'
import { findLog } from '../outbox/findDone.js'

/** A signed operation, its hash, and the errors that its calls may return. */
export type SignedOperation = { operation: UserOperation; hash: Hex; errors: readonly unknown[] }

/**
 * What the chain shows of an operation: its result; `due` if its nonce is next; `early` if others come first;
 * `replaced` if another one has used its nonce; `shallow` while the use of its nonce may still be reverted.
 */
export type OperationSight = WalletResult | 'due' | 'early' | 'replaced' | 'shallow'

const address = walletDeployments.entryPoint.address

const unavailable = (message: string): ServiceError =>
  new ServiceError('chain-unavailable', message, { retryAfterSeconds: 5 })

/**
 * Reads an operation's result from a transaction, or returns `undefined` if the transaction does not contain
 * it.
 */
export const readOperationResult = (
  { logs, transactionHash: txId }: Pick<TransactionReceipt, 'logs' | 'transactionHash'>,
  { hash, errors }: SignedOperation,
): WalletResult | undefined => {
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
  return { status: 'failed', txId, error: toRevertError('contract_call', decodeRevert(data, errors), data) }
}

/**
 * Finds an operation on chain, from any sender. Its nonce shows whether there is anything to find. Once the
 * nonce is used, the event of the operation that used it must exist.
 *
 * @throws {ServiceError} `chain-unavailable` while the chain does not show the event: its logs may be behind.
 */
export const findOperation = async (
  client: PublicClient,
  { chain, confirmations }: { chain: string; confirmations: number },
  signed: SignedOperation,
): Promise<OperationSight> => {
  const sender = getAddress(signed.operation.sender)
  const nonce = BigInt(signed.operation.nonce)
  const args = [sender, nonce >> 64n] as const
  const next = await client.readContract({ address, ...EntryPoint, functionName: 'getNonce', args })
  if (next <= nonce) return next === nonce ? 'due' : 'early'
  const head = await client.getBlockNumber({ cacheTime: 0 })
  const eventName = 'UserOperationEvent' as const
  const topics = encodeEventTopics({ ...EntryPoint, eventName, args: { sender } })
  const isIt = ({ data, topics }: RpcLog): boolean =>
    decodeEventLog({ ...EntryPoint, eventName, data, topics }).args.nonce === nonce
  const log = await findLog(client, { chain, head, address, topics, isIt })
  if (!log?.transactionHash || log.blockNumber === null) {
    throw unavailable(`${chain} does not show which operation of ${sender} used the nonce ${nonce}`)
  }
  if (head - BigInt(log.blockNumber) + 1n < BigInt(confirmations)) return 'shallow'
  const receipt = await client.getTransactionReceipt({ hash: log.transactionHash })
  return readOperationResult(receipt, signed) ?? 'replaced'
}
