import { type Address, type Hash, isAddressEqual, parseAbiItem } from 'viem'
import { getBlock, getLogs, getTransactionCount } from 'viem/actions'
import type { Config } from 'wagmi'
import { type PaymentAttempt, readRouterPay, readTransfer } from '../chain/index.js'
import { getNode } from './node.js'

const paid = parseAbiItem('event Paid(bytes32 indexed orderRef, address indexed payer, uint256 amount)')
const transfer = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')

/** What the chain tells of an attempt whose hash nobody told. */
export type Finding = {
  /** Hash of the payment, in a block or waiting for one; undefined when none was seen. */
  txId: Hash | undefined
  /** Whether any transaction of the payer waits for its block. */
  hasOpenTransaction: boolean
}

const none = (): undefined => undefined

/** The log that a payment for this very order leaves, whoever sent it on the payer's behalf. */
const findInBlocks = async (config: Config, attempt: PaymentAttempt): Promise<Hash | undefined> => {
  const { to: address, data, fromBlock } = attempt
  if (data === '0x' || fromBlock === undefined) return undefined
  const client = getNode(config, attempt.chainId)
  const range = { address, fromBlock: BigInt(fromBlock), toBlock: 'latest', strict: true } as const
  const paysOrder = readRouterPay(data)
  if (paysOrder) {
    const logs = await getLogs(client, { ...range, event: paid, args: { orderRef: paysOrder.orderRef } })
    return logs.at(-1)?.transactionHash
  }
  const to = readTransfer(data)?.recipient
  if (to === undefined) return undefined
  const logs = await getLogs(client, { ...range, event: transfer, args: { from: attempt.payerAddress, to } })
  return logs.at(-1)?.transactionHash
}

type Sent = { hash: Hash; from: Address; to: Address | null; input: string; value: bigint }

const isAttempt = (sent: Sent, { payerAddress, to, data, valueWei }: PaymentAttempt): boolean =>
  isAddressEqual(sent.from, payerAddress) &&
  sent.to !== null &&
  isAddressEqual(sent.to, to) &&
  sent.input.toLowerCase() === data.toLowerCase() &&
  sent.value === BigInt(valueWei)

const findWaiting = async (config: Config, attempt: PaymentAttempt): Promise<Hash | undefined> => {
  const client = getNode(config, attempt.chainId)
  // Not every node tells what is waiting; the logs and the order still do once it is in a block.
  const block = await getBlock(client, { blockTag: 'pending', includeTransactions: true }).catch(none)
  return block?.transactions.find((sent) => isAttempt(sent, attempt))?.hash
}

/**
 * Looks on chain for an attempt that went to the wallet and never came back.
 *
 * @throws What the node throws when it is away.
 */
export const findPayment = async (config: Config, attempt: PaymentAttempt): Promise<Finding> => {
  const client = getNode(config, attempt.chainId)
  const address = attempt.payerAddress
  const [inBlock, waiting, used, known] = await Promise.all([
    findInBlocks(config, attempt),
    findWaiting(config, attempt),
    getTransactionCount(client, { address, blockTag: 'latest' }),
    getTransactionCount(client, { address, blockTag: 'pending' }),
  ])
  const txId = inBlock ?? waiting
  return { txId, hasOpenTransaction: txId === undefined && known > used }
}
