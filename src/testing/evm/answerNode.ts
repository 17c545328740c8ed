import { getAddress, type Hex, isAddressEqual, isHex, keccak256, numberToHex, stringToHex } from 'viem'
import * as z from 'zod/mini'
import { RpcError } from '../../chain/evm/rpcError.js'
import type { Bank } from './createBank.js'
import type { SignatureLedger } from './createSignatureLedger.js'
import type { TokenLedger } from './createTokenLedger.js'
import type { SendOptions } from './testTransaction.js'
import { gasPriceWei, gasUsed, type TestCall, type TestLog, type TestTransaction } from './testTransaction.js'

/** What a call of EIP-1193 asks. */
export type RpcCall = { method: string; params?: unknown }

/** A test's chains, which the service and the wallet share. */
export type TestChains = {
  bank: Bank
  tokens: TokenLedger
  signatures: SignatureLedger
  /** Mines every transaction that is due. */
  mine(): void
  /** Oldest first. */
  transactions(): readonly TestTransaction[]
  blockAt(ms: number): bigint
  blockTimeMs(block: bigint): number
  now(): number
  /** Sends a call. Another one with its nonce may replace it before it is mined. */
  send(chainId: number, call: TestCall, options?: SendOptions): Hex
  /** Simulates a call on the newest block. */
  try(chainId: number, call: TestCall): Hex
  /** Simulates calls on the newest block, all or none. */
  tryAll(chainId: number, calls: readonly TestCall[]): void
  /** Answers as a node does. */
  request(chainId: number, call: RpcCall): unknown
}

const hex = z.string().check(z.regex(/^0x[0-9a-fA-F]*$/))
const text = z.optional(hex)
const CallParameter = z.looseObject({ from: text, to: text, value: text, data: text, input: text, gas: text })

const Topic = z.nullable(z.union([hex, z.array(hex)]))
const Filter = z.looseObject({
  address: z.optional(z.union([hex, z.array(hex)])),
  topics: z.optional(z.array(Topic)),
  fromBlock: z.optional(z.string()),
  toBlock: z.optional(z.string()),
})
type Filter = z.infer<typeof Filter>

const deadAddress = '0x000000000000000000000000000000000000dEaD'

/** Reads the call that a node is asked to make. */
export const readCall = (parameter: unknown): TestCall & { gas: bigint } => {
  const { from, to, value, data, input, gas } = CallParameter.parse(parameter)
  const bytes = data ?? input
  return {
    from: getAddress(from ?? deadAddress),
    to: getAddress(to ?? deadAddress),
    value: BigInt(value ?? 0),
    data: isHex(bytes) ? bytes : '0x',
    gas: BigInt(gas ?? 100_000),
  }
}

const hashBlock = (chainId: number, number: bigint): Hex => keccak256(stringToHex(`${chainId} ${number}`))

/** Where a transaction is, as nodes write it. */
const writePlace = (chains: TestChains, { chainId, mined }: TestTransaction) => {
  if (!mined) return { blockHash: null, blockNumber: null, transactionIndex: null }
  const number = chains.blockAt(mined.atMs)
  return {
    blockHash: hashBlock(chainId, number),
    blockNumber: numberToHex(number),
    transactionIndex: '0x0' as const,
  }
}

const writeTransaction = (chains: TestChains, transaction: TestTransaction) => ({
  ...writePlace(chains, transaction),
  hash: transaction.hash,
  from: transaction.from,
  to: transaction.to,
  value: numberToHex(transaction.value),
  input: transaction.data,
  nonce: numberToHex(transaction.nonce),
  gas: numberToHex(transaction.gas),
  gasPrice: numberToHex(gasPriceWei),
  chainId: numberToHex(transaction.chainId),
  type: '0x2',
})

const writeLog = (
  chains: TestChains,
  transaction: TestTransaction,
  { log, index }: { log: TestLog; index: number },
) => ({
  ...log,
  ...writePlace(chains, transaction),
  transactionHash: transaction.hash,
  logIndex: numberToHex(index),
  removed: false,
})

const writeReceipt = (chains: TestChains, transaction: TestTransaction) => ({
  ...writePlace(chains, transaction),
  transactionHash: transaction.hash,
  from: transaction.from,
  to: transaction.to,
  status: transaction.mined?.isReverted ? '0x0' : '0x1',
  logs: (transaction.mined?.logs ?? []).map((log, index) => writeLog(chains, transaction, { log, index })),
  gasUsed: numberToHex(gasUsed),
  cumulativeGasUsed: numberToHex(gasUsed),
  effectiveGasPrice: numberToHex(gasPriceWei),
  contractAddress: null,
  type: '0x2',
})

const isWanted = (log: TestLog, { address, topics = [] }: Filter): boolean =>
  (address === undefined ||
    [address].flat().some((one) => one.toLowerCase() === log.address.toLowerCase())) &&
  topics.every((wanted, index) => {
    const topic = log.topics[index]
    return wanted === null || (topic !== undefined && [wanted].flat().includes(topic))
  })

/**
 * Answers a call as a node of one of the test chains does.
 *
 * @throws RpcError with code 4200 for a method that the test chains lack, and what a call reverts with.
 */
export const answerNode = (chains: TestChains, chainId: number, { method, params }: RpcCall): unknown => {
  const list: unknown[] = Array.isArray(params) ? params : []
  const head = chains.blockAt(chains.now())
  const all = chains.transactions().filter((transaction) => transaction.chainId === chainId)
  const find = (): TestTransaction | undefined => all.find(({ hash }) => hash === list[0])
  const readBlock = (tag: unknown): bigint =>
    typeof tag === 'string' && tag.startsWith('0x') ? BigInt(tag) : tag === 'earliest' ? 0n : head
  const listMined = (from: bigint, to: bigint): TestTransaction[] =>
    all.filter(({ mined }) => mined && chains.blockAt(mined.atMs) >= from && chains.blockAt(mined.atMs) <= to)
  switch (method) {
    case 'eth_chainId':
      return numberToHex(chainId)
    case 'net_version':
      return String(chainId)
    case 'eth_blockNumber':
      return numberToHex(head)
    case 'eth_maxPriorityFeePerGas':
    case 'eth_gasPrice':
      return numberToHex(gasPriceWei)
    case 'eth_getCode':
      return '0x'
    case 'eth_getBalance':
      return numberToHex(chains.bank.get({ chainId, owner: getAddress(String(list[0])) }, 18))
    case 'eth_call':
      return chains.try(chainId, readCall(list[0]))
    case 'eth_estimateGas':
      chains.try(chainId, readCall(list[0]))
      return numberToHex(gasUsed)
    case 'eth_sendTransaction': {
      const { gas, ...call } = readCall(list[0])
      return chains.send(chainId, call, { gas })
    }
    case 'eth_getTransactionCount': {
      const [owner, tag] = list
      const own = all.filter(({ from }) => isAddressEqual(from, getAddress(String(owner))))
      const block = readBlock(tag)
      const counted = tag === 'pending' ? own : own.filter((sent) => listMined(0n, block).includes(sent))
      return numberToHex(counted.length)
    }
    case 'eth_getTransactionByHash': {
      const found = find()
      return found ? writeTransaction(chains, found) : null
    }
    case 'eth_getTransactionReceipt': {
      const found = find()
      return found?.mined ? writeReceipt(chains, found) : null
    }
    case 'eth_getLogs': {
      const filter = Filter.parse(list[0])
      const mined = listMined(readBlock(filter.fromBlock), readBlock(filter.toBlock))
      return mined.flatMap((sent) =>
        (sent.mined?.logs ?? []).flatMap((log, index) =>
          isWanted(log, filter) ? [writeLog(chains, sent, { log, index })] : [],
        ),
      )
    }
    case 'eth_getBlockByNumber': {
      const isPending = list[0] === 'pending'
      const number = readBlock(list[0])
      const inside = isPending ? all.filter(({ mined }) => !mined) : listMined(number, number)
      return {
        number: isPending ? null : numberToHex(number),
        hash: isPending ? null : hashBlock(chainId, number),
        parentHash: hashBlock(chainId, number - 1n),
        baseFeePerGas: numberToHex(gasPriceWei),
        gasLimit: numberToHex(30_000_000),
        gasUsed: numberToHex(gasUsed * BigInt(inside.length)),
        timestamp: numberToHex(Math.floor(chains.blockTimeMs(number) / 1_000)),
        transactions: inside.map((sent) => (list[1] ? writeTransaction(chains, sent) : sent.hash)),
      }
    }
    default:
      throw new RpcError(4200, `${method} is not known on a test chain`)
  }
}
