import { and, eq, inArray, ne, or, sql } from 'drizzle-orm'
import {
  type Address,
  decodeFunctionData,
  getAddress,
  type Hex,
  type PublicClient,
  parseAbi,
  parseTransaction,
} from 'viem'
import type { Database } from '#base/db/database.js'
import { adoptedWrites } from '#base/db/tables/adoptedWrites.js'
import { chainTransactions, sharedCalls } from '#base/db/tables/chainTransactions.js'
import type { Statement, StatementInput } from '#base/ports/chain.js'
import { firstKey } from '#base/ports/write.js'
import { DepositFactory } from '../artifacts/DepositFactory.js'
import { PaymentRouter } from '../artifacts/PaymentRouter.js'
import { getCloneAddress, toReference } from '../connection/addresses.js'
import type { PaymentContracts } from './orderPayments.js'
import { readUnattributedFunds } from './readUnattributedFunds.js'

const abi = parseAbi([
  'function held(bytes32 orderRef) view returns (uint256)',
  'function balanceOf(address owner) view returns (uint256)',
  'function credits(bytes32 payoutId) view returns (uint256)',
  // The contract returns a bool, which reads as 0 or 1.
  'function paidOut(bytes32 payoutId) view returns (uint256)',
])
const ordersPerLook = 50
/**
 * The answers of one call come back as a contract's code, 160 bytes each, and nodes refuse more than 24 kB
 * (EIP-170).
 */
const questionsPerCall = 120

type Holding = Statement['held'][number]
type PayOut = Statement['paidOut'][number]
type Question = {
  address: Address
  functionName: 'held' | 'balanceOf' | 'paidOut' | 'credits'
  subject: Hex
} & ({ holding: Omit<Holding, 'units'> } | { payOut: PayOut } | { credit: Omit<PayOut, 'units'> })

/** Returns the questions about a signed payout, or none for any other transaction. */
const readPayOut = (
  contracts: PaymentContracts,
  key: string,
  { signedTransaction, calldata }: { signedTransaction: string; calldata: string | null },
): Question[] => {
  const { to, data: ownData } = parseTransaction(signedTransaction as Hex)
  const data = (calldata as Hex | null) ?? ownData
  if (!to || !data) return []
  const address = getAddress(to)
  const { router, depositFactory, currencies } = contracts
  const currencyAt = (token?: string) =>
    currencies.find((known) => known.address?.toLowerCase() === token?.toLowerCase())?.currency ?? ''
  const question = (subject: Hex, currency: string, units: bigint): Question => {
    return { address, functionName: 'paidOut', subject, payOut: { key, currency, units } }
  }
  if (address === router) {
    const call = decodeFunctionData({ ...PaymentRouter, data })
    if (call.functionName !== 'payOut') return []
    const [, payOutId, , units] = call.args
    const currency = currencyAt()
    const credit: Question = {
      address,
      functionName: 'credits',
      subject: payOutId,
      credit: { key, currency },
    }
    return [question(payOutId, currency, units), credit]
  }
  if (address !== depositFactory) return []
  const call = decodeFunctionData({ ...DepositFactory, data })
  if (call.functionName !== 'payOut') return []
  const [, payOutId, token, , units] = call.args
  return [question(payOutId, currencyAt(token), units)]
}

/** A node of a chain and the database, to read the payments of that chain from. */
export type ChainReads = { client: PublicClient; db: Database; chain: string }

type PayOutsOf = Pick<StatementInput[number], 'orderId' | 'payOutKeys'>

/**
 * Finds the payouts that the service adopted when its database was restored, as questions about whether the chain made
 * them. Those of an order under no known key are listed under the order's reference.
 */
const findAdopted = async (
  { db, chain }: Pick<ChainReads, 'db' | 'chain'>,
  { router, depositFactory, currencies }: PaymentContracts,
  input: readonly PayOutsOf[],
): Promise<ReadonlyMap<string, Question[]>> => {
  const keys = new Map<string, string>(
    input.flatMap(({ payOutKeys }) => payOutKeys.map((key) => [toReference(key), key] as const)),
  )
  const ofOrders = input.map(({ orderId }) => toReference(orderId))
  const { reference, orderReference } = adoptedWrites
  // A refund that the treasury lent stands under its own reference. Its key finds it already.
  const isOfOrder = and(inArray(orderReference, ofOrders), ne(reference, orderReference))
  const isAsked = or(inArray(reference, [...keys.keys()]), isOfOrder)
  const rows = await db
    .select()
    .from(adoptedWrites)
    .where(and(eq(adoptedWrites.chain, chain), eq(adoptedWrites.kind, 'pay-out'), isAsked))
  const found = new Map<string, Question[]>()
  for (const row of rows) {
    const key = keys.get(row.reference) ?? row.orderReference ?? ''
    const isCoins = currencies.some(({ currency, address }) => currency === row.currency && !address)
    const place = { address: isCoins ? router : depositFactory, subject: row.reference as Hex }
    const paid = { key, currency: row.currency ?? '' }
    const payOut: Question = {
      ...place,
      functionName: 'paidOut',
      payOut: { ...paid, units: BigInt(row.units ?? 0) },
    }
    const credit: Question[] = isCoins ? [{ ...place, functionName: 'credits', credit: paid }] : []
    found.set(key, [...(found.get(key) ?? []), payOut, ...credit])
  }
  return found
}

/** Finds the signed payouts with the given keys, as questions about whether the chain made them. */
export const findPayOuts = async (
  reads: Pick<ChainReads, 'db' | 'chain'>,
  contracts: PaymentContracts,
  input: readonly PayOutsOf[],
): Promise<ReadonlyMap<string, Question[]>> => {
  const { db, chain } = reads
  const adopted = await findAdopted(reads, contracts, input)
  const keys = new Map(input.flatMap(({ payOutKeys }) => payOutKeys).map((key) => [`${chain}:${key}`, key]))
  if (!keys.size) return adopted
  const stored = [...keys.keys()]
  const { signedTransaction, status } = chainTransactions
  const alone = await db
    .select({ key: chainTransactions.key, signedTransaction, status, calldata: sql<null>`null` })
    .from(chainTransactions)
    .where(inArray(sql`split_part(${chainTransactions.key}, '#', 1)`, stored))
  const shared = await db
    .select({ key: sharedCalls.key, signedTransaction, status, calldata: sharedCalls.calldata })
    .from(sharedCalls)
    .innerJoin(chainTransactions, eq(chainTransactions.key, sharedCalls.transactionKey))
    .where(inArray(sql`split_part(${sharedCalls.key}, '#', 1)`, stored))
  const rows = [...alone, ...shared]
  // The chain lets one attempt at a payout succeed, and that one counts.
  const succeeded = rows.filter((row) => row.status === 'succeeded')
  const attempts = new Map([...rows, ...succeeded].map((row) => [firstKey(row.key), row]))
  const questions = new Map<string, Question[]>()
  for (const [storedKey, attempt] of attempts) {
    const key = keys.get(storedKey) ?? storedKey
    questions.set(key, readPayOut(contracts, key, attempt))
  }
  for (const [key, own] of adopted) questions.set(key, own)
  return questions
}

/**
 * Packs the questions about one order into one call, as far as they fit, so that all answers are of the same
 * block.
 */
const packCalls = (groups: readonly Question[][]): Question[][] => {
  const calls: Question[][] = []
  for (const group of groups) {
    const last = calls.at(-1)
    if (last && last.length + group.length <= questionsPerCall) last.push(...group)
    else
      for (let at = 0; at < group.length; at += questionsPerCall)
        calls.push(group.slice(at, at + questionsPerCall))
  }
  return calls
}

type HoldingQuestion = Extract<Question, { holding: unknown }>

/** Returns the questions about what an order holds of each currency. */
export const askHoldings = (
  { router, depositFactory, currencies }: PaymentContracts,
  orderId: string,
): HoldingQuestion[] =>
  currencies.map(({ currency, address }) => {
    const reference = toReference(orderId)
    const holding = { orderId, currency }
    if (!address) return { address: router, functionName: 'held', subject: reference, holding }
    const subject = getCloneAddress(depositFactory, reference)
    return { address: getAddress(address), functionName: 'balanceOf', subject, holding }
  })

/**
 * Returns the contracts that are deployed. An unused chain may have none, and tokens and coins can still
 * arrive there.
 */
const findStanding = async (
  client: PublicClient,
  { router, depositFactory, currencies }: PaymentContracts,
  blockNumber: bigint,
): Promise<ReadonlySet<Address>> => {
  const tokens = currencies.flatMap(({ address }) => (address ? [getAddress(address)] : []))
  const codes = [router, depositFactory, ...tokens].map(async (address) =>
    (await client.getCode({ address, blockNumber })) ? [address] : [],
  )
  return new Set((await Promise.all(codes)).flat())
}

const ask = async (
  client: PublicClient,
  questions: readonly Question[],
  blockNumber: bigint,
): Promise<bigint[]> => {
  const answers = await client.multicall({
    blockNumber,
    contracts: questions.map(({ address, functionName, subject }) => ({
      address,
      abi,
      functionName,
      args: [subject] as const,
    })),
    allowFailure: false,
    deployless: true,
    batchSize: 0,
  })
  return answers.map(BigInt)
}

/** Returns the answers to groups of questions in their order, all as of one block. */
export const askAll = async (
  client: PublicClient,
  groups: readonly Question[][],
  blockNumber: bigint,
): Promise<bigint[]> => {
  const answers: bigint[] = []
  for (const questions of packCalls(groups)) {
    if (questions.length) answers.push(...(await ask(client, questions, blockNumber)))
  }
  return answers
}

/** Asks the chain what it holds for orders and what it has paid out. */
export const readStatement = async (
  reads: ChainReads,
  contracts: PaymentContracts,
  input: StatementInput,
): Promise<Statement> => {
  const { client } = reads
  const native = contracts.currencies.find(({ address }) => !address)?.currency ?? ''
  const held: Holding[] = []
  const unattributedFunds: Holding[] = []
  const paidOut: PayOut[] = []
  const credited: PayOut[] = []
  let inRouter = 0n
  // All reads are of one block. Otherwise a payment between two reads would look like a difference.
  const blockNumber = await client.getBlockNumber({ cacheTime: 0 })
  const standing = await findStanding(client, contracts, blockNumber)
  for (let at = 0; at < input.length; at += ordersPerLook) {
    const some = input.slice(at, at + ordersPerLook)
    const payOuts = await findPayOuts(reads, contracts, some)
    const groups = some.map(({ orderId, payOutKeys }) =>
      [
        ...askHoldings(contracts, orderId),
        ...[...payOutKeys, toReference(orderId)].flatMap((key) => payOuts.get(key) ?? []),
      ].filter(({ address }) => standing.has(address)),
    )
    const answers = await askAll(client, groups, blockNumber)
    for (const [index, question] of groups.flat().entries()) {
      const units = answers[index] ?? 0n
      if ('credit' in question) {
        if (units) credited.push({ ...question.credit, units })
        continue
      }
      if ('payOut' in question) {
        if (units) paidOut.push(question.payOut)
        continue
      }
      held.push({ ...question.holding, units })
      if (question.functionName === 'held') inRouter += units
    }
    unattributedFunds.push(...(await readUnattributedFunds({ client, blockNumber }, contracts, some)))
  }
  const [routerUnits, totalCredits] = await Promise.all([
    client.getBalance({ address: contracts.router, blockNumber }),
    standing.has(contracts.router)
      ? client.readContract({
          address: contracts.router,
          ...PaymentRouter,
          functionName: 'totalCredits',
          blockNumber,
        })
      : 0n,
  ])
  // Money that a payee could not receive counts as paid out: only that payee can claim it.
  const beyond = routerUnits - inRouter - totalCredits
  const unasked = beyond < 0n ? held : unattributedFunds
  unasked.push({ currency: native, units: beyond })
  const isSome = ({ units }: Holding): boolean => units !== 0n
  return { held: held.filter(isSome), unattributedFunds: unattributedFunds.filter(isSome), paidOut, credited }
}
