import { and, eq, inArray, max, or, sql } from 'drizzle-orm'
import {
  type Address,
  decodeFunctionData,
  getAddress,
  type Hex,
  isAddressEqual,
  type Log,
  type PublicClient,
  parseEventLogs,
  zeroHash,
} from 'viem'
import type { Database } from '#base/db/database.js'
import { adoptedWrites } from '#base/db/tables/adoptedWrites.js'
import { chainTransactions } from '#base/db/tables/chainTransactions.js'
import type { FoundPayment, FoundWrite, FoundWrites } from '#base/ports/restore.js'
import { CollectionFactory } from '../artifacts/CollectionFactory.js'
import { DepositFactory } from '../artifacts/DepositFactory.js'
import { PaymentRouter } from '../artifacts/PaymentRouter.js'
import { readCalledMints } from '../collections/mintTrace.js'
import type { PaymentContracts } from '../payments/orderPayments.js'

/** How many blocks to ask for on a node that refuses to search all at once. */
const blocksPerLook = 1_000n
/** How many transactions one statement asks the database about. */
const hashesAtOnce = 500

/** The operator, its contracts, and where its collections are. */
export type OperatorContracts = PaymentContracts & {
  chain: string
  operator: Address
  collectionFactory: Address
  collections: readonly Address[]
}

/** Returns the block of the newest transaction of the operator that the database knows the end of. */
const readKnownBlock = async (db: Database, chain: string, operator: Address): Promise<bigint> => {
  const isOwn = and(eq(chainTransactions.chain, chain), eq(chainTransactions.sender, operator))
  const [row] = await db
    .select({ block: max(chainTransactions.blockNumber) })
    .from(chainTransactions)
    .where(isOwn)
  return row?.block ?? 0n
}

const readLogs = async (
  client: PublicClient,
  address: readonly Address[],
  { from, to }: { from: bigint; to: bigint },
): Promise<Log[]> => {
  const ask = (first: bigint, last: bigint) =>
    client.getLogs({ address: [...address], fromBlock: first, toBlock: last })
  const all = await ask(from, to).catch(() => undefined)
  if (all) return all
  const found: Log[] = []
  for (let first = from; first <= to; first += blocksPerLook) {
    const last = first + blocksPerLook - 1n
    found.push(...(await ask(first, last < to ? last : to)))
  }
  return found
}

/** Returns the transactions that the database does not know, of those given. */
const listUnknown = async (db: Database, chain: string, hashes: readonly Hex[]): Promise<Hex[]> => {
  const known = new Set<string>()
  for (let at = 0; at < hashes.length; at += hashesAtOnce) {
    const some = hashes.slice(at, at + hashesAtOnce)
    const { txId, otherTxIds } = chainTransactions
    const isOther = sql`${otherTxIds} ?| ${sql.param(some)}::text[]`
    const rows = await db
      .select({ txId, otherTxIds })
      .from(chainTransactions)
      .where(and(eq(chainTransactions.chain, chain), or(inArray(txId, some), isOther)))
    const adopted = await db
      .select({ txId: adoptedWrites.txId })
      .from(adoptedWrites)
      .where(and(eq(adoptedWrites.chain, chain), inArray(adoptedWrites.txId, some)))
    for (const row of adopted) known.add(row.txId)
    for (const row of rows) for (const hash of [row.txId, ...(row.otherTxIds ?? [])]) known.add(hash)
  }
  return hashes.filter((hash) => !known.has(hash))
}

/** Returns the calls of a transaction to one of the payment contracts, which take several at once. */
const listCalls = (data: Hex): Hex[] => {
  try {
    const call = decodeFunctionData({ ...PaymentRouter, data })
    return call.functionName === 'multicall' ? call.args[0].flatMap(listCalls) : [data]
  } catch {
    return [data]
  }
}

/** What a call of a payment contract pays out. Without a token, it is coins. */
type PayOutCall = { orderReference: Hex; reference: Hex; token?: Address; recipient: Address; units: bigint }

/** Reads what a transaction of the operator did. It succeeded: its contracts logged something. */
const readWrites = (
  { router, depositFactory, currencies, collections }: OperatorContracts,
  { hash, to, input }: { hash: Hex; to: Address | null; input: Hex },
): FoundWrite[] => {
  if (!to) return []
  const currencyAt = (token?: Address): string =>
    currencies.find(({ address }) =>
      token ? address && isAddressEqual(address as Address, token) : !address,
    )?.currency ??
    token ??
    ''
  const payOut = ({ token, recipient, ...paid }: PayOutCall) => ({
    ...paid,
    kind: 'pay-out' as const,
    txId: hash,
    currency: currencyAt(token),
    recipient: getAddress(recipient),
  })
  if (isAddressEqual(to, router)) {
    return listCalls(input).flatMap((data) => {
      const call = decodeFunctionData({ ...PaymentRouter, data })
      if (call.functionName !== 'payOut') return []
      const [orderReference, reference, recipient, units] = call.args
      return payOut({ orderReference, reference, recipient, units })
    })
  }
  if (isAddressEqual(to, depositFactory)) {
    return listCalls(input).flatMap((data) => {
      const call = decodeFunctionData({ ...DepositFactory, data })
      if (call.functionName === 'payOut') {
        const [orderReference, reference, token, recipient, units] = call.args
        return payOut({ orderReference, reference, token, recipient, units })
      }
      if (call.functionName !== 'payOutCoins') return []
      const [orderReference, reference, recipient, units] = call.args
      return payOut({ orderReference, reference, recipient, units })
    })
  }
  if (!collections.some((one) => isAddressEqual(one, to))) return []
  return readCalledMints(input).map(({ mintId, tokenId, to: recipient, template }) => ({
    kind: 'mint' as const,
    reference: mintId,
    txId: hash,
    contractAddress: getAddress(to),
    tokenId,
    recipient: getAddress(recipient),
    ...(template !== zeroHash && { template }),
  }))
}

const readPayments = ({ router, currencies }: OperatorContracts, logs: readonly Log[]): FoundPayment[] => {
  const native = currencies.find(({ address }) => !address)?.currency ?? ''
  const paid = parseEventLogs({ ...PaymentRouter, eventName: 'Paid', logs: [...logs] })
  return paid.flatMap(({ address, transactionHash: txId, args }) => {
    if (!isAddressEqual(address, router) || txId === null) return []
    const { orderRef: orderReference, payer, amount: units } = args
    return { txId, orderReference, payer: getAddress(payer), currency: native, units }
  })
}

/**
 * Reads from the logs of the service's contracts what the operator has done since the newest transaction that the
 * database knows, and what was paid. The logs stay when a node forgets the state of old blocks.
 */
export const findOperatorWrites = async (
  { client, db }: { client: PublicClient; db: Database },
  given: OperatorContracts,
): Promise<FoundWrites> => {
  const { chain, operator, router, depositFactory, collectionFactory } = given
  const nonce = await client.getTransactionCount({ address: operator, blockTag: 'latest' })
  const head = await client.getBlockNumber({ cacheTime: 0 })
  const from = await readKnownBlock(db, chain, operator)
  const created = await readLogs(client, [collectionFactory], { from, to: head })
  const added = parseEventLogs({ ...CollectionFactory, eventName: 'CollectionCreated', logs: created })
  const collections = [...given.collections, ...added.map(({ args }) => args.collection)]
  const contracts = { ...given, collections }
  const others = await readLogs(client, [router, depositFactory, ...collections], { from, to: head })
  const logs = [...created, ...others]
  const hashes = [...new Set(logs.flatMap(({ transactionHash }) => transactionHash ?? []))]
  const found: FoundWrites = {
    writes: [],
    others: [],
    payments: readPayments(contracts, others),
    mark: `${nonce}`,
  }
  for (const hash of await listUnknown(db, chain, hashes)) {
    const transaction = await client.getTransaction({ hash })
    if (!isAddressEqual(transaction.from, operator)) continue
    const writes = readWrites(contracts, transaction)
    if (writes.length) found.writes.push(...writes)
    else found.others.push(hash)
  }
  return found
}
