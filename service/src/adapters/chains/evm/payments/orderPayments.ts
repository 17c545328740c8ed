import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  type PublicClient,
  parseAbiItem,
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

/** Which transfers are searched: of these tokens, or of any, to these addresses. */
type TransferSearch = { address?: Address[]; to: Address[] }

const readTransfers = (client: PublicClient, { address, to }: TransferSearch, range: Range) =>
  client.getLogs({ ...(address && { address }), event: transfer, args: { to }, ...range, strict: true })

/**
 * Reads the transfers of any token to deposit addresses. A node may refuse so wide a query, and an attacker
 * can make its answer too long with a token of their own. Then only the tokens that the deployment accepts
 * are queried.
 */
const readAnyTransfers = async (
  client: PublicClient,
  { known, to }: { known: Address[]; to: Address[] },
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
  const { fromBlock, toBlock } = input
  const isReference = (target: string): target is Hex => target.length === 66
  const references = input.targets.filter(isReference)
  const deposits = input.targets.filter((target) => !isReference(target)).map((target) => getAddress(target))
  const native = contracts.currencies.find(({ address }) => !address)
  const tokens = new Map(
    contracts.currencies.flatMap(({ address, currency }) =>
      address ? [[getAddress(address), currency] as const] : [],
    ),
  )
  const [nativeLogs, tokenLogs] = await Promise.all([
    Promise.all(
      chunk(references, targetsPerQuery).map((orderRef) =>
        client.getLogs({
          address: contracts.router,
          event: paid,
          args: { orderRef },
          fromBlock,
          toBlock,
          strict: true,
        }),
      ),
    ),
    Promise.all(
      chunk(deposits, targetsPerQuery).map((to) =>
        readAnyTransfers(client, { known: [...tokens.keys()], to }, { fromBlock, toBlock }),
      ),
    ),
  ])
  const minedAtMs = await readTimestamps(client, [...nativeLogs.flat(), ...tokenLogs.flat()])
  const seen = (log: { blockHash: Hex; blockNumber: bigint; transactionHash: Hex; logIndex: number }) => ({
    txId: log.transactionHash,
    logIndex: log.logIndex,
    block: { number: log.blockNumber, hash: log.blockHash, timestampMs: minedAtMs.get(log.blockHash) ?? 0 },
  })
  const payments: SeenPayment[] = [
    ...nativeLogs.flat().map((log) => ({
      ...seen(log),
      payer: getAddress(log.args.payer),
      currency: native?.currency ?? '',
      units: log.args.amount,
      target: log.args.orderRef,
    })),
    ...tokenLogs.flat().map((log) => ({
      ...seen(log),
      payer: getAddress(log.args.from),
      currency: tokens.get(getAddress(log.address)) ?? getAddress(log.address),
      units: log.args.value,
      target: getAddress(log.args.to),
    })),
  ]
  return payments
    .filter(({ units }) => units > 0n)
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
