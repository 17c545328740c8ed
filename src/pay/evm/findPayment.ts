import { type Address, type Hash, isAddressEqual, isHash, numberToHex } from 'viem'
import { getBlock, getBlockNumber, getTransaction, getTransactionCount } from 'viem/actions'
import type { Config } from 'wagmi'
import type { EvmPaymentAttempt } from '../../chain/index.js'
import type { Finding } from '../family.js'
import { findCalls } from './findCalls.js'
import { getNode } from './node.js'
import { getPaymentLog, isPaymentLog } from './paymentLog.js'

// The range of blocks that every public node accepts in one query.
const fewBlocks = 1_000n

const none = (): undefined => undefined

/** Finds the payment by its log, which names this order, this payer and this amount. */
export const findInBlocks = async (config: Config, attempt: EvmPaymentAttempt): Promise<Hash | undefined> => {
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
    // The range may be too large for this node. A payment is most likely in the latest blocks.
    const newest = await getBlockNumber(client, { cacheTime: 0 })
    const recent = newest > fewBlocks ? newest - fewBlocks : 0n
    return find(recent > fromBlock ? recent : fromBlock).catch(none)
  }
}

type Sent = { hash: Hash; from: Address; to: Address | null; input: string; value: bigint }

/** Whether a transaction is exactly what the wallet was asked to sign, apart from its fee. */
export const isAsked = (
  sent: Omit<Sent, 'hash' | 'from'>,
  { to, data, valueWei }: EvmPaymentAttempt,
): boolean =>
  sent.to !== null &&
  isAddressEqual(sent.to, to) &&
  sent.input.toLowerCase() === data.toLowerCase() &&
  sent.value === BigInt(valueWei)

const findWaiting = async (config: Config, attempt: EvmPaymentAttempt): Promise<Hash | undefined> => {
  const client = getNode(config, attempt.chainId)
  // Not every node returns pending transactions. The logs and the order show the payment once it is mined.
  const block = await getBlock(client, { blockTag: 'pending', includeTransactions: true }).catch(none)
  return block?.transactions.find(
    (sent) => isAddressEqual(sent.from, attempt.payerAddress) && isAsked(sent, attempt),
  )?.hash
}

/** Finds the payment by its hash: the network may have received it again, or another node may know it. */
const findByHash = async (
  config: Config,
  { chainId, ...attempt }: EvmPaymentAttempt,
): Promise<Hash | undefined> => {
  const { txId: hash, callsId } = attempt
  if (hash === undefined || hash === callsId || !isHash(hash)) return undefined
  const known = await getTransaction(getNode(config, chainId), { hash }).catch(none)
  return known && isAsked(known, { chainId, ...attempt }) ? hash : undefined
}

/**
 * Searches an attempt by its hash, in the wallet's own bundle, in blocks, and among pending transactions.
 *
 * @throws The node's error when it is unavailable.
 */
export const findPayment = async (config: Config, attempt: EvmPaymentAttempt): Promise<Finding> => {
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
