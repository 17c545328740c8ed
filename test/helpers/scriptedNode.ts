import {
  type Address,
  custom,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  type Hash,
  type Hex,
  numberToHex,
  padHex,
  parseAbi,
  RpcRequestError,
} from 'viem'
import { baseSepolia } from 'viem/chains'
import { createConfig } from 'wagmi'
import type { SentEvmAttempt } from '../../src/pay/evm/followTransaction.js'

const routerAbi = parseAbi([
  'function pay(bytes32 orderRef, uint256 deadline) payable',
  'event Paid(bytes32 indexed orderRef, address indexed payer, uint256 amount)',
])

export const payer: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const stranger: Address = '0x52908400098527886E0F7030069857D2E4169EE7'
const router: Address = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const orderRef = padHex('0x07')

/** A hash that is easy to tell from others. */
export const hashOf = (digit: string): Hash => `0x${digit.repeat(64)}`

/** A transaction on the scripted chain. */
export type ScriptedTransaction = {
  hash: Hash
  from: Address
  to: Address | null
  nonce: number
  value: bigint
  input: Hex
  isReverted?: boolean
  /** In wei, as the router's log says; `value` by default, and no log where undefined is given. */
  logged?: bigint | undefined
}

/** An attempt that pays 5 wei through the router with nonce 3, sent when the chain was at its first block. */
export const createAttempt = (fields: Partial<SentEvmAttempt> = {}): SentEvmAttempt => ({
  id: 'first',
  orderId: 'order',
  chainId: baseSepolia.id,
  payerAddress: payer,
  to: router,
  data: encodeFunctionData({ abi: routerAbi, functionName: 'pay', args: [orderRef, 9n] }),
  valueWei: '5',
  attemptedAtMs: 0,
  fromBlock: '0',
  nonce: 3,
  txId: hashOf('a'),
  ...fields,
})

/** The transaction an attempt asks for. */
export const transactionOf = (
  attempt: SentEvmAttempt,
  fields: Partial<ScriptedTransaction> = {},
): ScriptedTransaction => ({
  hash: attempt.txId as Hash,
  from: attempt.payerAddress,
  to: attempt.to,
  nonce: attempt.nonce ?? 3,
  value: BigInt(attempt.valueWei),
  input: attempt.data,
  ...fields,
})

/**
 * A chain in memory whose node a test scripts, for answers that a local node does not give: several hours
 * without the transaction, a history that is cut off, another hash for each question.
 */
export const createScriptedNode = () => {
  const blocks: ScriptedTransaction[][] = [[]]
  const pending: ScriptedTransaction[] = []
  const asked: string[] = []
  const script: {
    /** Answers a request in place of the chain; undefined leaves it to the chain. */
    onRequest?: ((method: string, params: readonly unknown[]) => unknown) | undefined
  } = {}

  const numberOf = (tag: unknown): number =>
    tag === 'latest' || tag === 'pending' ? blocks.length - 1 : Number(tag)
  const find = (hash: unknown) => {
    const blockNumber = blocks.findIndex((block) => block.some((sent) => sent.hash === hash))
    const sent = [...(blocks[blockNumber] ?? []), ...pending].find((known) => known.hash === hash)
    return sent && { sent, blockNumber }
  }
  const logsOf = ({ from, to, value, hash, input, isReverted, ...rest }: ScriptedTransaction) => {
    const logged = 'logged' in rest ? rest.logged : value
    if (isReverted || to !== router || logged === undefined || input === '0x') return []
    const topics = encodeEventTopics({ abi: routerAbi, eventName: 'Paid', args: { orderRef, payer: from } })
    const data = encodeAbiParameters([{ type: 'uint256' }], [logged])
    return [{ address: router, topics, data, transactionHash: hash }]
  }
  const format = ({ value, nonce, isReverted: _, logged: __, ...sent }: ScriptedTransaction) => ({
    ...sent,
    value: numberToHex(value),
    nonce: numberToHex(nonce),
    gas: '0x5208',
    type: '0x2',
  })
  const answer = (method: string, params: readonly unknown[]): unknown => {
    const [first, second] = params
    switch (method) {
      case 'eth_blockNumber':
        return numberToHex(blocks.length - 1)
      case 'eth_getTransactionCount': {
        const mined = blocks.slice(0, numberOf(second) + 1).flat()
        const counted = second === 'pending' ? [...mined, ...pending] : mined
        const nonces = counted.filter(({ from }) => from === first).map(({ nonce }) => nonce + 1)
        return numberToHex(Math.max(0, ...nonces))
      }
      case 'eth_getBlockByNumber': {
        const transactions = first === 'pending' ? pending : (blocks[numberOf(first)] ?? [])
        const listed = second === true ? transactions.map(format) : transactions.map(({ hash }) => hash)
        return { number: numberToHex(numberOf(first)), transactions: listed }
      }
      case 'eth_getTransactionByHash': {
        const found = find(first)
        return found ? format(found.sent) : null
      }
      case 'eth_getTransactionReceipt': {
        const found = find(first)
        if (!found || found.blockNumber < 0) return null
        const { sent, blockNumber } = found
        return {
          transactionHash: sent.hash,
          from: sent.from,
          blockNumber: numberToHex(blockNumber),
          status: sent.isReverted ? '0x0' : '0x1',
          logs: logsOf(sent),
        }
      }
      case 'eth_getLogs': {
        const { fromBlock, topics } = first as { fromBlock: string; topics: (string | null)[] }
        return blocks
          .slice(Number(fromBlock))
          .flat()
          .flatMap(logsOf)
          .filter((log) => topics.every((topic, index) => topic === null || log.topics[index] === topic))
      }
      case 'eth_call':
        return '0x'
      default:
        throw new Error(`The scripted node does not know ${method}.`)
    }
  }
  const request = async ({ method, params = [] }: { method: string; params?: readonly unknown[] }) => {
    asked.push(method)
    const scripted = await script.onRequest?.(method, params)
    return scripted === undefined ? answer(method, params) : scripted
  }
  return {
    /** Every block with its transactions; the first is empty. */
    blocks,
    /** What waits for a block. */
    pending,
    /** The methods of all requests, in their order. */
    asked,
    script,
    config: createConfig({
      chains: [baseSepolia],
      transports: { [baseSepolia.id]: custom({ request }, { retryCount: 0 }) },
      pollingInterval: 1,
      storage: null,
      multiInjectedProviderDiscovery: false,
    }),
  }
}

/** What a node answers that has no such history, or is away. */
export const refuse = (method: string): never => {
  throw new RpcRequestError({
    body: { method },
    url: 'http://node.test',
    error: { code: -32000, message: 'missing trie node' },
  })
}
