import { and, eq, inArray } from 'drizzle-orm'
import { type OrderState, payOutKeyOf, sweepKeys } from 'kassa/engine'
import { chainCursors, orders, payments, refunds, unattributedTransfers } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { isUuid } from '#base/lib/uuid.js'
import { findProject } from '#identity/projects/projects.js'
import { listRefused, type RefusedPayOut } from './listRefused.js'
import {
  type Books,
  type LedgerLine,
  listLines,
  listUnattributedFunds,
  type OrderLine,
  sumLines,
  type UnattributedFunds,
} from './sumLedger.js'

/** Whose money: that of one project (by name), of one order, or all. */
export type LedgerFilter = { project?: string | undefined; orderId?: string | undefined }

/** Unattributed funds that the operator had sent to an address. @units base units of `currency` */
export type SentBack = {
  orderId: string
  chain: string
  currency: string
  decimals: number
  units: bigint
  recipient: string
  status: 'pending' | 'sent' | 'failed'
  txId?: string
  failure?: string
}

/** A final payment that a deep reorganisation took off its chain. @units base units of `currency` */
export type LostPayment = {
  orderId: string
  chain: string
  currency: string
  decimals: number
  units: bigint
  payer: string
  txId: string
}

/** The books: what was received in each currency of each chain, what became of it, and what needs attention. */
export type Ledger = {
  totals: LedgerLine[]
  /** The orders whose sums differ. */
  differing: OrderLine[]
  /** Money without an order, or in a token that the deployment does not accept. */
  unattributedFunds: UnattributedFunds[]
  /** What the operator sent back of that. */
  sentBack: SentBack[]
  /** Payouts whose last attempt failed. */
  refused: RefusedPayOut[]
  /** The final payments that a deep reorganisation took back, until the chain includes them again. */
  lost: LostPayment[]
}

type LedgerDeps = Pick<Deps, 'db' | 'chains'>

const toCondition = async ({ db }: LedgerDeps, { project, orderId }: LedgerFilter) => {
  const projectId = project === undefined ? undefined : await findProject(db, project)
  if (project !== undefined && projectId === undefined) {
    throw new ServiceError('not-found', `there is no project ${project}`)
  }
  if (orderId !== undefined && !isUuid(orderId)) {
    throw new ServiceError('input-invalid', `${orderId} is not an order id`)
  }
  return and(
    projectId === undefined ? undefined : eq(orders.projectId, projectId),
    orderId === undefined ? undefined : eq(orders.id, orderId),
  )
}

/** Reads the database's records, all as of one moment. */
const readBooks = async (deps: LedgerDeps, filter: LedgerFilter) => {
  const condition = await toCondition(deps, filter)
  const isReal = inArray(payments.status, ['seen', 'confirmed'])
  return deps.db.transaction(
    async (tx) => {
      const found = await tx.select({ order: orders.document }).from(orders).where(condition)
      const paid = await tx
        .select({ payment: payments })
        .from(payments)
        .innerJoin(orders, eq(payments.orderId, orders.id))
        .where(and(condition, isReal))
      const lost = await tx
        .select({ payment: payments })
        .from(payments)
        .innerJoin(orders, eq(payments.orderId, orders.id))
        .where(and(condition, eq(payments.status, 'lost')))
        .orderBy(payments.chain, payments.blockNumber, payments.id)
      const foreign = await tx
        .selectDistinct({ orderId: payments.orderId, chain: payments.chain, token: payments.currency })
        .from(payments)
        .innerJoin(orders, eq(payments.orderId, orders.id))
        .where(and(condition, eq(payments.status, 'foreign')))
      const returned = await tx
        .select({ refund: refunds })
        .from(refunds)
        .innerJoin(orders, eq(refunds.orderId, orders.id))
        .where(condition)
      const transfers = await tx
        .select({ transfer: unattributedTransfers })
        .from(unattributedTransfers)
        .innerJoin(orders, eq(unattributedTransfers.orderId, orders.id))
        .where(condition)
        .orderBy(unattributedTransfers.createdAt, unattributedTransfers.id)
      return {
        transfers: transfers.map(({ transfer }) => transfer),
        orders: found.map(({ order }) => order),
        payments: paid.map(({ payment }) => payment),
        lost: lost.map(({ payment }) => payment),
        foreign,
        refunds: returned.map(({ refund }) => refund),
      }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

const viewSentBack = (
  transfers: readonly (typeof unattributedTransfers.$inferSelect)[],
  chains: Books['chains'],
): SentBack[] =>
  transfers.map(({ orderId, chain, currency, units, recipient, status, txId, failure }) => {
    const currencies = chains.find((known) => known.chain === chain)?.currencies
    const decimals = currencies?.find((known) => known.currency === currency)?.decimals ?? 0
    return {
      orderId,
      chain,
      currency,
      decimals,
      units: BigInt(units),
      recipient,
      status,
      ...(txId !== null && { txId }),
      ...(failure !== null && { failure }),
    }
  })

const viewLost = (lost: readonly (typeof payments.$inferSelect)[], chains: Books['chains']): LostPayment[] =>
  lost.map(({ orderId, chain, currency, units, payer, txId }) => {
    const currencies = chains.find((known) => known.chain === chain)?.currencies
    const decimals = currencies?.find((known) => known.currency === currency)?.decimals ?? 0
    return { orderId, chain, currency, decimals, units: BigInt(units), payer, txId }
  })

/** How many unknown tokens of one order are read. Every account can create more than there is time to read. */
const maxForeignTokens = 20

/** Asks every chain about every order, because buyers also pay on the wrong chain, or before a payment is due. */
const askChains = async (
  { db, chains }: LedgerDeps,
  { orders: found, foreign }: Awaited<ReturnType<typeof readBooks>>,
) => {
  const cursors = await db.select({ name: chainCursors.chain }).from(chainCursors)
  const used = new Set(cursors.map(({ name }) => name))
  const ask = (order: OrderState, on: string) => ({
    orderId: order.orderId,
    payOutKeys: [...order.refunds.map(payOutKeyOf), ...sweepKeys(order)],
    foreignTokens: foreign
      .filter((seen) => seen.orderId === order.orderId && seen.chain === on)
      .map(({ token }) => token)
      .slice(0, maxForeignTokens),
  })
  // What the treasury lends to a refund waits at a place of that refund until it is sent.
  const lent = found.flatMap(({ refunds }) =>
    refunds.flatMap((refund) => (refund.source ? [{ orderId: payOutKeyOf(refund), payOutKeys: [] }] : [])),
  )
  const asked: Books['chains'][number][] = []
  for (const name of [...new Set([...used, ...chains.enabled])].sort()) {
    const chain = chains.get(name)
    if (!chain)
      throw new ServiceError('input-invalid', `${name} holds money but is not enabled: enable it again`)
    // A development chain may have lost transactions when it was stopped, which are sent again first.
    if (chain.isLocal && used.has(name)) await chain.ready()
    asked.push({
      chain: name,
      currencies: chain.currencies,
      statement: await chain.getStatement([...found.map((order) => ask(order, name)), ...lent]),
    })
  }
  return asked
}

/**
 * Accounts for all money that ever reached a deposit address or the payment router. It compares the database's records
 * with the chains' own statements. It moves no money, and writes to no chain but a development chain.
 *
 * @throws {@link ServiceError} `not-found`, `input-invalid`, `chain-unavailable`.
 */
export const getLedger = async (deps: LedgerDeps, filter: LedgerFilter = {}): Promise<Ledger> => {
  const books = await readBooks(deps, filter)
  if (filter.orderId !== undefined && !books.orders.length) {
    throw new ServiceError('not-found', `there is no order ${filter.orderId}`)
  }
  const chains = await askChains(deps, books)
  const isWhole = filter.project === undefined && filter.orderId === undefined
  // Money that is held for other orders does not count.
  const isAsked = ({ orderId }: { orderId?: string }): boolean => isWhole || orderId !== undefined
  const lines = listLines({ ...books, chains }).filter(isAsked)
  return {
    totals: sumLines(lines),
    differing: lines.filter(({ difference }) => difference !== 0n),
    unattributedFunds: listUnattributedFunds(chains).filter(isAsked),
    sentBack: viewSentBack(books.transfers, chains),
    refused: listRefused(books, chains),
    lost: viewLost(books.lost, chains),
  }
}
