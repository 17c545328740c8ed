import { type Address, type Hash, isAddressEqual, isHash, numberToHex } from 'viem'
import { getBlock, getBlockNumber, getTransaction, getTransactionCount } from 'viem/actions'
import type { Config } from 'wagmi'
import type { PaymentAttempt } from '../chain/index.js'
import { findCalls } from './findCalls.js'
import { getNode } from './node.js'
import { getPaymentLog, isPaymentLog } from './paymentLog.js'

// As many blocks as every public node answers for at once.
const fewBlocks = 1_000n

/** What is known of an attempt of which nobody has told the hash, or whose hash the network does not know. */
export type Finding = {
  /** Hash of the payment, in a block or waiting for one; undefined when none was seen. */
  txId: Hash | undefined
  /** Whether any transaction of the payer waits for its block. */
  hasOpenTransaction: boolean
}

const none = (): undefined => undefined

/** By the log that a payment for this very order, by this payer and of this amount, leaves behind. */
const findInBlocks = async (config: Config, attempt: PaymentAttempt): Promise<Hash | undefined> => {
  const wanted = getPaymentLog(attempt, attempt.payerAddress)
  if (!wanted || attempt.fromBlock === undefined) return undefined
  const client = getNode(config, attempt.chainId)
  const { address, topics } = wanted
  const find = async (fromBlock: bigint): Promise<Hash | undefined> => {
    const logs = await client.request({
      method: 'eth_getLogs',
      params: [{ address, topics, fromBlock: numberToHex(fromBlock), toBlock: 'latest' }],
    })
    return logs.findLast((log) => isPaymentLog(log, wanted))?.transactionHash ?? undefined
  }
  const fromBlock = BigInt(attempt.fromBlock)
  try {
    return await find(fromBlock)
  } catch {
    // Too many blocks at once for this node, it may be; the last ones are where a payment is most likely.
    const newest = await getBlockNumber(client, { cacheTime: 0 })
    const recent = newest > fewBlocks ? newest - fewBlocks : 0n
    return find(recent > fromBlock ? recent : fromBlock).catch(none)
  }
}

type Sent = { hash: Hash; from: Address; to: Address | null; input: string; value: bigint }

/** Whether a transaction is exactly what the wallet was asked to sign, whatever its fee. */
export const isAsked = (sent: Omit<Sent, 'hash' | 'from'>, { to, data, valueWei }: PaymentAttempt): boolean =>
  sent.to !== null &&
  isAddressEqual(sent.to, to) &&
  sent.input.toLowerCase() === data.toLowerCase() &&
  sent.value === BigInt(valueWei)

const findWaiting = async (config: Config, attempt: PaymentAttempt): Promise<Hash | undefined> => {
  const client = getNode(config, attempt.chainId)
  // Not every node tells what is waiting; the logs and the order still do once it is in a block.
  const block = await getBlock(client, { blockTag: 'pending', includeTransactions: true }).catch(none)
  return block?.transactions.find(
    (sent) => isAddressEqual(sent.from, attempt.payerAddress) && isAsked(sent, attempt),
  )?.hash
}

/** By the hash itself: the network may have heard of it again, or the node it was asked of knows more by now. */
const findByHash = async (
  config: Config,
  { chainId, ...attempt }: PaymentAttempt,
): Promise<Hash | undefined> => {
  const { txId: hash, callsId } = attempt
  if (hash === undefined || hash === callsId || !isHash(hash)) return undefined
  const known = await getTransaction(getNode(config, chainId), { hash }).catch(none)
  return known && isAsked(known, { chainId, ...attempt }) ? hash : undefined
}

/**
 * Looks for an attempt wherever it may be: under its hash, in the wallet's own bundle, in blocks, and among the
 * transactions that wait.
 *
 * @throws What the node throws when it is away.
 */
export const findPayment = async (config: Config, attempt: PaymentAttempt): Promise<Finding> => {
  const client = getNode(config, attempt.chainId)
  const { payerAddress: address, callsId } = attempt
  const [byHash, inCalls, inBlock, waiting, used, known] = await Promise.all([
    findByHash(config, attempt),
    callsId === undefined ? undefined : findCalls(config, callsId).catch(none),
    findInBlocks(config, attempt),
    findWaiting(config, attempt),
    getTransactionCount(client, { address, blockTag: 'latest' }),
    getTransactionCount(client, { address, blockTag: 'pending' }),
  ])
  const txId = inBlock ?? byHash ?? inCalls ?? waiting
  return { txId, hasOpenTransaction: txId === undefined && known > used }
}
