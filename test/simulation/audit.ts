import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Address,
  decodeFunctionData,
  encodeEventTopics,
  erc20Abi,
  type Hex,
  isHash,
  type LogTopic,
  pad,
  parseAbi,
  parseTransaction,
} from 'viem'
import type { Order } from '../../src/schema/index.js'
import type { Shop } from '../helpers/createShop.js'

const abi = parseAbi([
  'function pay(bytes32 orderRef, uint256 deadline) payable',
  'function transfer(address to, uint256 amount) returns (bool)',
  'event Paid(bytes32 indexed orderRef, address indexed payer, uint256 amount)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

/** Where on chain the payments for one order are seen. */
export type PaymentLogs = { address: Address; topics: LogTopic[]; units: bigint; token: Address | undefined }

/** Reads from the transaction the buyer is to sign where its payment will be seen, without the service's help. */
export const findPaymentLogs = (order: Order): PaymentLogs | undefined => {
  const serialized = order.payment.preparation?.serializedTransaction
  if (!serialized) return undefined
  const { to, data, value = 0n } = parseTransaction(serialized as `0x02${string}`)
  if (!to || !data) throw new Error('the preparation pays nothing')
  const call = decodeFunctionData({ abi, data })
  if (call.functionName === 'pay') {
    const topics = encodeEventTopics({ abi, eventName: 'Paid', args: { orderRef: call.args[0] } })
    return { address: to, topics, units: value, token: undefined }
  }
  const topics = encodeEventTopics({ abi, eventName: 'Transfer', args: { to: call.args[0] } })
  return { address: to, topics, units: call.args[1], token: to }
}

const transferTopic = encodeEventTopics({ abi, eventName: 'Transfer' })[0] ?? null

type Sent = { txId?: string; replacedBy?: string }

/** Waits until one of the transactions with the same nonce is in a block. */
const awaitOne = async (client: Shop['world']['client'], sent: Sent) => {
  // The buyers' own time may stand still for long on a busy machine, and what they have sent goes by it.
  const endMs = Date.now() + 180_000
  for (;;) {
    // Read anew each time: the buyer may have just replaced it.
    for (const hash of [sent.txId, sent.replacedBy]) {
      const receipt =
        hash !== undefined &&
        isHash(hash) &&
        (await client.getTransactionReceipt({ hash }).catch(() => undefined))
      if (receipt) return receipt
    }
    if (Date.now() > endMs) throw new Error(`${sent.txId} did not come into a block`)
    await sleep(50)
  }
}

/** Reads one buyer's purchase off the chain. */
export const createAudit = (shop: Shop, buyer: Address) => {
  const { client } = shop.world
  const countLogs = async (filter: object): Promise<{ topics: Hex[] }[]> =>
    client.request({
      method: 'eth_getLogs',
      params: [{ fromBlock: 'earliest', toBlock: 'latest', ...filter }],
    })
  const readBalances = async (token: Address | undefined) => ({
    nativeWei: await client.getBalance({ address: buyer }),
    tokenUnits: token
      ? await client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [buyer] })
      : 0n,
  })
  return {
    countPayments: async ({ address, topics }: PaymentLogs): Promise<number> =>
      (await countLogs({ address, topics })).length,
    /** Tokens minted to the buyer; a collection's transfer indexes its token id too, a currency's does not. */
    countDelivered: async (): Promise<number> => {
      const topics = [transferTopic, pad('0x', { size: 32 }), pad(buyer, { size: 32 })]
      return (await countLogs({ topics })).filter((log) => log.topics.length === 4).length
    },
    /** What the wallet's own transactions cost, once each, or what replaced it, is in a block. */
    readFees: async (sent: readonly Sent[]): Promise<bigint> => {
      const receipts = await Promise.all(sent.map((one) => awaitOne(client, one)))
      return receipts.reduce((sum, { gasUsed, effectiveGasPrice }) => sum + gasUsed * effectiveGasPrice, 0n)
    },
    readBalances,
    /** Waits for refunds: until the buyer has exactly so much, or the time is over. */
    awaitBalances: async (
      expected: { nativeWei: bigint; tokenUnits: bigint },
      token: Address | undefined,
      withinMs: number,
    ) => {
      const endMs = Date.now() + withinMs
      for (;;) {
        // A node that keeps no history refuses to read the block that another one has just followed.
        const actual = await readBalances(token).catch(() => undefined)
        const isMet = actual?.nativeWei === expected.nativeWei && actual.tokenUnits === expected.tokenUnits
        if (actual && (isMet || Date.now() > endMs)) return actual
        await sleep(100)
      }
    },
  }
}
