import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  numberToHex,
  type PublicClient,
  parseAbiItem,
  type RpcLog,
  size,
  toEventSelector,
} from 'viem'
import type { SeenPayment } from '#base/ports/chain.js'
import type { ChainCurrency } from '#base/ports/currency.js'
import { PaymentRouter } from '../artifacts/PaymentRouter.js'
import { getCloneAddress, toReference } from '../connection/addresses.js'
import { keepBlockTime, listBlockTimes } from '../connection/blockTimes.js'

/** What finding an order's payments on one chain needs. */
export type PaymentContracts = {
  router: Address
  depositFactory: Address
  currencies: readonly ChainCurrency[]
}

const paid = parseAbiItem('event Paid(bytes32 indexed orderRef, address indexed payer, uint256 amount)')
const transfer = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')
// Nodes limit how many values a log filter may list.
const targetsPerQuery = 200

/**
 * Returns where an order is paid: its deposit address for a token, or its reference at the router for the
 * native currency.
 */
export const getPaymentTarget = (
  contracts: PaymentContracts,
  orderId: string,
  token: Address | undefined,
): string => (token ? getCloneAddress(contracts.depositFactory, toReference(orderId)) : toReference(orderId))

/** Returns the call that pays for an order. */
export const getPaymentCall = (
  contracts: PaymentContracts,
  input: { orderId: string; token: Address | undefined; units: bigint; deadlineMs: number },
): { to: Address; value: bigint; data: Hex } => {
  const reference = toReference(input.orderId)
  if (input.token) {
    const deposit = getCloneAddress(contracts.depositFactory, reference)
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [deposit, input.units] })
    return { to: input.token, value: 0n, data }
  }
  const deadline = BigInt(Math.floor(input.deadlineMs / 1000))
  const data = encodeFunctionData({ ...PaymentRouter, functionName: 'pay', args: [reference, deadline] })
  return { to: contracts.router, value: input.units, data }
}

/** After a node refuses to search all tokens, how many reads ask about the known tokens alone. */
const looksAfterRefusal = 100
// Nodes limit how many requests they accept at once.
const blocksAtOnce = 50
const refusals = new WeakMap<PublicClient, number>()

type Range = { fromBlock: bigint; toBlock: bigint }

/** A log of a mined block. */
type MinedLog = RpcLog & { blockNumber: Hex; blockHash: Hex; transactionHash: Hex; logIndex: Hex }

const paidTopic = toEventSelector(paid)
const transferTopic = toEventSelector(transfer)

/**
 * Asks for the logs of an event. In a sale, the targets of thousands of orders are searched at every block, so topics are
 * written and read here: viem would derive the event and check every address anew for each of them.
 */
const askLogs = async (
  client: PublicClient,
  { fromBlock, toBlock }: Range,
  filter: { address?: Address | Address[]; topics: (Hex | Hex[] | null)[] },
): Promise<MinedLog[]> => {
  const range = { fromBlock: numberToHex(fromBlock), toBlock: numberToHex(toBlock) }
  const logs = await client.request({ method: 'eth_getLogs', params: [{ ...filter, ...range }] })
  return logs.filter((log): log is MinedLog => log.blockHash !== null)
}

const toTopic = (address: string): Hex => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
const fromTopic = (topic: Hex): Address => getAddress(`0x${topic.slice(26)}`)

/** Reads the number of a log with two indexed fields. Events of the same name with other fields have none. */
const readUnits = ({ topics, data }: RpcLog): bigint | undefined =>
  topics.length === 3 && size(data) >= 32 ? BigInt(data.slice(0, 66)) : undefined

/** Which transfers are searched: of these tokens, or of any, to these addresses. */
type TransferSearch = { address?: Address[]; to: readonly string[] }

const readTransfers = (client: PublicClient, { address, to }: TransferSearch, range: Range) =>
  askLogs(client, range, { ...(address && { address }), topics: [transferTopic, null, to.map(toTopic)] })

/**
 * Reads the transfers of any token to deposit addresses. A node may refuse so wide a query, and an attacker
 * can make its answer too long with a token of their own. Then only the tokens that the deployment accepts
 * are queried.
 */
const readAnyTransfers = async (
  client: PublicClient,
  { known, to }: { known: Address[]; to: readonly string[] },
  range: Range,
) => {
  const left = refusals.get(client) ?? 0
  if (left === 0) {
    const all = await readTransfers(client, { to }, range).catch(() => undefined)
    if (all) return all
  }
  const some = known.length ? await readTransfers(client, { address: known, to }, range) : []
  refusals.set(client, left === 0 ? looksAfterRefusal : left - 1)
  return some
}

const chunk = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )

/**
 * Finds the payments to the given targets in a range of blocks, in the chain's order. For a token that is not
 * among the currencies, the token's address is the currency.
 */
export const findPayments = async (
  client: PublicClient,
  contracts: PaymentContracts,
  input: { fromBlock: bigint; toBlock: bigint; targets: readonly string[] },
): Promise<SeenPayment[]> => {
  const isReference = (target: string): target is Hex => target.length === 66
  const references = input.targets.filter(isReference)
  const deposits = input.targets.filter((target) => !isReference(target))
  const native = contracts.currencies.find(({ address }) => !address)
  const tokens = new Map(
    contracts.currencies.flatMap(({ address, currency }) =>
      address ? [[getAddress(address), currency] as const] : [],
    ),
  )
  const [nativeLogs, tokenLogs] = await Promise.all([
    Promise.all(
      chunk(references, targetsPerQuery).map((orderRefs) =>
        askLogs(client, input, { address: contracts.router, topics: [paidTopic, orderRefs] }),
      ),
    ),
    Promise.all(
      chunk(deposits, targetsPerQuery).map((to) =>
        readAnyTransfers(client, { known: [...tokens.keys()], to }, input),
      ),
    ),
  ])
  const minedAtMs = await readTimestamps(client, [...nativeLogs.flat(), ...tokenLogs.flat()])
  const read = (
    log: MinedLog,
    toPayment: (one: Hex, other: Hex) => Pick<SeenPayment, 'payer' | 'currency' | 'target'>,
  ): SeenPayment[] => {
    const [, one, other] = log.topics
    const units = readUnits(log)
    if (!one || !other || !units) return []
    const { blockHash: hash } = log
    const block = { number: BigInt(log.blockNumber), hash, timestampMs: minedAtMs.get(hash) ?? 0 }
    return [
      { ...toPayment(one, other), units, txId: log.transactionHash, logIndex: Number(log.logIndex), block },
    ]
  }
  const payments = [
    ...nativeLogs.flat().flatMap((log) =>
      read(log, (orderRef, payer) => ({
        payer: fromTopic(payer),
        currency: native?.currency ?? '',
        target: orderRef,
      })),
    ),
    ...tokenLogs.flat().flatMap((log) =>
      read(log, (from, to) => {
        const token = getAddress(log.address)
        return { payer: fromTopic(from), currency: tokens.get(token) ?? token, target: fromTopic(to) }
      }),
    ),
  ]
  const asked = new Set(input.targets)
  return payments
    .filter(({ target }) => asked.has(target))
    .sort((one, other) => Number(one.block.number - other.block.number) || one.logIndex - other.logIndex)
}

/** Returns when the blocks of logs were made, in epoch milliseconds, and asks about those that no read has shown yet. */
const readTimestamps = async (
  client: PublicClient,
  logs: readonly { blockHash: Hex }[],
): Promise<ReadonlyMap<string, number>> => {
  const known = listBlockTimes(client)
  const times = new Map<string, number>()
  const missing = new Set<Hex>()
  for (const { blockHash } of logs) {
    const time = known.get(blockHash)
    if (time === undefined) missing.add(blockHash)
    else times.set(blockHash, time)
  }
  for (const some of chunk([...missing], blocksAtOnce)) {
    const blocks = await Promise.all(some.map((blockHash) => client.getBlock({ blockHash })))
    for (const block of blocks) {
      keepBlockTime(client, block)
      times.set(block.hash, Number(block.timestamp) * 1000)
    }
  }
  return times
}
