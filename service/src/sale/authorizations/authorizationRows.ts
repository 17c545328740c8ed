import { and, eq, inArray, notInArray, sql } from 'drizzle-orm'
import type { OrderState } from 'kassa/engine'
import type { Authorization } from 'kassa/schema'
import { advances } from '#base/config/advances.js'
import type { Database, Transaction } from '#base/db/database.js'
import { type AuthorizationRow, authorizations } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'

/** The statuses of an authorization that may still move money. */
const aliveStatuses = ['stored', 'sent'] as const

/** Whether an authorization may still move money. */
export const isAlive = ({ status }: Pick<AuthorizationRow, 'status'>): boolean =>
  aliveStatuses.some((alive) => alive === status)

/** Finds the authorization of an order that says the same. */
export const findByContent = async (
  db: Database | Transaction,
  { orderId, content }: Pick<AuthorizationRow, 'orderId' | 'content'>,
): Promise<AuthorizationRow | undefined> => {
  const isSame = and(eq(authorizations.orderId, orderId), eq(authorizations.content, content))
  return (await db.select().from(authorizations).where(isSame))[0]
}

/** Returns the key of the chain write of an authorization. It names what was signed, so no other one can have it. */
export const authorizationKey = ({
  orderId,
  content,
}: Pick<AuthorizationRow, 'orderId' | 'content'>): string => `authorization:${orderId}:${content}`

/** Converts an authorization to what callers see. */
export const viewAuthorization = (row: AuthorizationRow): Authorization => ({
  authorizationId: row.id,
  orderId: row.orderId,
  kind: row.signed.kind,
  payerAddress: row.payer,
  status: isAlive(row) ? 'pending' : (row.status as Authorization['status']),
  ...(row.txId !== null && { txId: row.txId }),
  ...(row.reason !== null && { reason: row.reason }),
  createdAt: row.createdAt.toISOString(),
})

/**
 * Finds an authorization of an order that may still move money. One that has moved it counts until the payment is seen.
 */
export const findOpen = async (
  db: Database | Transaction,
  { orderId, payments }: OrderState,
  nowMs: number,
): Promise<AuthorizationRow | undefined> => {
  const isOpen = and(
    eq(authorizations.orderId, orderId),
    inArray(authorizations.status, [...aliveStatuses, 'settled']),
  )
  const open = await db.select().from(authorizations).where(isOpen)
  const seen = new Set(payments.map(({ txId }) => txId.toLowerCase()))
  const isSeen = ({ status, txId, validBefore }: AuthorizationRow): boolean =>
    status === 'settled' && (seen.has(txId?.toLowerCase() ?? '') || validBefore.getTime() < nowMs)
  return open.find((row) => !isSeen(row))
}

/**
 * Asserts that no other authorization of an order may still move money.
 *
 * @throws {@link ServiceError} `conflict`.
 */
export const assertNoneAlive = async (tx: Transaction, order: OrderState, nowMs: number): Promise<void> => {
  if (!(await findOpen(tx, order, nowMs))) return
  const message = 'Another signed payment of this order is on its way: wait for its end'
  throw new ServiceError('conflict', message)
}

/** The names of the caps, in the order in which they are looked at. */
const capNames = ['order', 'payer', 'project', 'chain'] as const

/**
 * Asserts that the operator may send one more payment today. A refused one costs nothing, and is not counted.
 *
 * @throws {@link ServiceError} `rate-limited`, naming the cap.
 */
export const assertUnderCaps = async (
  { config, now }: Pick<Deps, 'config' | 'now'>,
  tx: Transaction,
  { orderId, projectId, chain, payer }: Pick<AuthorizationRow, 'orderId' | 'projectId' | 'chain' | 'payer'>,
): Promise<void> => {
  // Of two at once, the second must count the first.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('authorizations'))`)
  const { windowMs, caps } = advances.authorizations
  const since = new Date(now() - windowMs).toISOString()
  const scopes = {
    order: eq(authorizations.orderId, orderId),
    payer: and(eq(authorizations.chain, chain), eq(authorizations.payer, payer)),
    project: eq(authorizations.projectId, projectId),
    chain: eq(authorizations.chain, chain),
  }
  for (const name of capNames) {
    const cap = caps(config)[name]
    const count = await tx.$count(
      authorizations,
      and(
        scopes[name],
        sql`${authorizations.startedAt} > ${since}::timestamptz`,
        notInArray(authorizations.status, ['refused', 'expired']),
      ),
    )
    if (count < cap) continue
    const message = `Too many signed payments today: the shop sends ${cap} a day of one ${name}. Pay by a transaction instead`
    throw new ServiceError('rate-limited', message, { retryAfterSeconds: 3600 })
  }
}
