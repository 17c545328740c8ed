import { type Address, encodeEventTopics, isAddressEqual, type Log, parseAbi } from 'viem'
import { readRouterPay, readTransfer } from '../../chain/evm/calls.js'
import type { EvmPaymentAttempt } from '../../chain/index.js'

/** The logs that payments leave: the router's in the native currency, and a token's own. */
export const paymentEvents = parseAbi([
  'event Paid(bytes32 indexed orderRef, address indexed payer, uint256 amount)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

/** The log a payment leaves in its block, whichever account sends the transaction. */
export type PaymentLog = {
  address: Address
  /** The topics to find the log by; null matches any topic. */
  topics: (`0x${string}` | `0x${string}`[] | null)[]
  /** In base units. */
  units: bigint
}

/**
 * Returns the log by which an attempt's payment is found on chain.
 *
 * @param payer - The payer to match; any payer when left out.
 * @returns Undefined for a plain transfer of the native currency, which leaves no log.
 */
export const getPaymentLog = (
  { to, data, valueWei }: EvmPaymentAttempt,
  payer?: Address,
): PaymentLog | undefined => {
  const pay = readRouterPay(data)
  if (pay) {
    const args = { orderRef: pay.orderRef, payer: payer ?? null }
    return {
      address: to,
      topics: encodeEventTopics({ abi: paymentEvents, eventName: 'Paid', args }),
      units: BigInt(valueWei),
    }
  }
  const transferred = readTransfer(data)
  if (!transferred) return undefined
  const args = { from: payer ?? null, to: transferred.recipient }
  const topics = encodeEventTopics({ abi: paymentEvents, eventName: 'Transfer', args })
  return { address: to, topics, units: transferred.units }
}

/** Whether a log is that payment's: from that contract, for that order, with the whole amount. */
export const isPaymentLog = (
  log: Pick<Log, 'address' | 'topics' | 'data'>,
  { address, topics, units }: PaymentLog,
): boolean =>
  isAddressEqual(log.address, address) &&
  topics.every((topic, index) => topic === null || log.topics[index] === topic) &&
  log.data !== '0x' &&
  BigInt(log.data) === units
