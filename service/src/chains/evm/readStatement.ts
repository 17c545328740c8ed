import { inArray, sql } from 'drizzle-orm'
import {
  type Address,
  decodeFunctionData,
  getAddress,
  type Hex,
  type PublicClient,
  parseAbi,
  parseTransaction,
} from 'viem'
import type { Database } from '../../db/database.js'
import { chainTransactions } from '../../db/tables/chainTransactions.js'
import { firstKey, type Statement, type StatementInput } from '../port.js'
import { getCloneAddress, toReference } from './addresses.js'
import { DepositFactory } from './artifacts/DepositFactory.js'
import { PaymentRouter } from './artifacts/PaymentRouter.js'
import type { PaymentContracts } from './orderPayments.js'

const abi = parseAbi([
  'function held(bytes32 orderRef) view returns (uint256)',
  'function balanceOf(address owner) view returns (uint256)',
  // Really a bool, which reads as 0 or 1.
  'function paidOut(bytes32 payoutId) view returns (uint256)',
])
const ordersPerCall = 50

type Holding = Statement['held'][number]
type PayOut = Statement['paidOut'][number]
type Question = {
  address: Address
  functionName: 'held' | 'balanceOf' | 'paidOut'
  subject: Hex
} & ({ holding: Omit<Holding, 'units'> } | { payOut: PayOut })

/** What a signed transaction pays out if the chain takes it; undefined for any other transaction. */
const readPayOut = (contracts: PaymentContracts, key: string, signed: string): Question | undefined => {
  const { to, data } = parseTransaction(signed as Hex)
  if (!to || !data) return undefined
  const address = getAddress(to)
  const { router, depositFactory, currencies } = contracts
  const currencyAt = (token?: string) =>
    currencies.find((known) => known.address?.toLowerCase() === token?.toLowerCase())?.currency ?? ''
  const question = (subject: Hex, currency: string, units: bigint): Question => {
    return { address, functionName: 'paidOut', subject, payOut: { key, currency, units } }
  }
  if (address === router) {
    const call = decodeFunctionData({ ...PaymentRouter, data })
    if (call.functionName !== 'payOut') return undefined
    const [, payOutId, , units] = call.args
    return question(payOutId, currencyAt(), units)
  }
  if (address !== depositFactory) return undefined
  const call = decodeFunctionData({ ...DepositFactory, data })
  if (call.functionName !== 'payOut') return undefined
  const [, payOutId, token, , units] = call.args
  return question(payOutId, currencyAt(token), units)
}

const findPayOuts = async (
  db: Database,
  chain: string,
  contracts: PaymentContracts,
  input: StatementInput,
): Promise<Question[]> => {
  const keys = new Map(input.flatMap(({ payOutKeys }) => payOutKeys).map((key) => [`${chain}:${key}`, key]))
  const rows = await db
    .select()
    .from(chainTransactions)
    .where(inArray(sql`split_part(${chainTransactions.key}, '#', 1)`, [...keys.keys()]))
    .orderBy(sql`${chainTransactions.status} = 'succeeded'`)
  // Of all attempts at one payout the chain lets one succeed: the last one here.
  const attempts = new Map(rows.map((row) => [firstKey(row.key), row]))
  return [...attempts].flatMap(
    ([key, row]) => readPayOut(contracts, keys.get(key) ?? key, row.signedTransaction) ?? [],
  )
}

const askHoldings = ({ router, depositFactory, currencies }: PaymentContracts, orderId: string): Question[] =>
  currencies.map(({ currency, address }) => {
    const reference = toReference(orderId)
    const holding = { orderId, currency }
    if (!address) return { address: router, functionName: 'held', subject: reference, holding }
    const subject = getCloneAddress(depositFactory, reference)
    return { address: getAddress(address), functionName: 'balanceOf', subject, holding }
  })

/** Coins that somebody sent to a deposit address as they are, past the router: no log tells of them. */
const readStray = async (
  client: PublicClient,
  { depositFactory }: PaymentContracts,
  currency: string,
  input: StatementInput,
): Promise<Holding[]> =>
  Promise.all(
    input.map(async ({ orderId }) => {
      const address = getCloneAddress(depositFactory, toReference(orderId))
      return { orderId, currency, units: await client.getBalance({ address }) }
    }),
  )

/** Asks the chain what it holds for orders and what of it has left. One call an order: no block comes between. */
export const readStatement = async (
  { client, db }: { client: PublicClient; db: Database },
  chain: string,
  contracts: PaymentContracts,
  input: StatementInput,
): Promise<Statement> => {
  const native = contracts.currencies.find(({ address }) => !address)?.currency ?? ''
  const held: Holding[] = []
  const paidOut: PayOut[] = []
  let inRouter = 0n
  for (let at = 0; at < input.length; at += ordersPerCall) {
    const some = input.slice(at, at + ordersPerCall)
    const questions = [
      ...some.flatMap(({ orderId }) => askHoldings(contracts, orderId)),
      ...(await findPayOuts(db, chain, contracts, some)),
    ]
    const answers = await client.multicall({
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
    for (const [index, question] of questions.entries()) {
      const units = BigInt(answers[index] ?? 0n)
      if ('payOut' in question) {
        if (units) paidOut.push(question.payOut)
        continue
      }
      held.push({ ...question.holding, units })
      if (question.functionName === 'held') inRouter += units
    }
    held.push(...(await readStray(client, contracts, native, some)))
  }
  const [routerUnits, credited] = await Promise.all([
    client.getBalance({ address: contracts.router }),
    client.readContract({ address: contracts.router, ...PaymentRouter, functionName: 'totalClaimable' }),
  ])
  // What a payee could not receive was paid out all the same: it waits for nobody but that payee.
  held.push({ currency: native, units: routerUnits - inRouter - credited })
  return { held: held.filter(({ units }) => units !== 0n), paidOut }
}
