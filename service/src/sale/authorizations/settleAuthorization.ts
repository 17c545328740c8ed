import { and, eq, inArray, sql } from 'drizzle-orm'
import { acceptsPayment } from 'kassa/engine'
import type { Database, Transaction } from '#base/db/database.js'
import { type AuthorizationRow, authorizations } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import type { AuthorizationPort } from '#base/ports/authorizations.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { JobHandler } from '#base/ports/jobs.js'
import { attemptKey, type WriteOptions, type WriteResult } from '#base/ports/write.js'
import { explainFee } from '../orders/offerAuthorization.js'
import { lockOrder } from '../orders/store.js'
import { updateOrder } from '../orders/updateOrder.js'
import { keepWatching } from '../orders/watchTargets.js'
import { authorizationKey, isAlive } from './authorizationRows.js'

/** How an authorization ended, or why it is not sent. */
type End = Pick<AuthorizationRow, 'status'> & Partial<Pick<AuthorizationRow, 'txId' | 'reason' | 'failure'>>

/** An authorization that must not be signed any more. */
class UndueError extends Error {
  readonly end: End

  constructor(end: End & { failure: string }) {
    super(end.failure)
    this.end = end
  }
}

const expired: End & { failure: string } = {
  status: 'expired',
  reason: 'invalid_exact_evm_payload_authorization_valid_before',
  failure: 'its time was over before it was sent',
}

const isThis = ({ id, attempt }: AuthorizationRow, statuses: readonly AuthorizationRow['status'][]) =>
  and(
    eq(authorizations.id, id),
    eq(authorizations.attempt, attempt),
    inArray(authorizations.status, [...statuses]),
  )

/**
 * Tells the order which transaction is to pay for it, so that it is looked for now. It proves nothing: the payment is
 * found on the chain.
 */
const reportTransaction = async (
  deps: Deps,
  tx: Transaction,
  { orderId }: AuthorizationRow,
  txId: string,
): Promise<void> => {
  await updateOrder(deps, tx, orderId, { type: 'payment-reported', txId })
  await keepWatching(tx, orderId, deps.now())
}

/** Records an end, unless another process has recorded one. */
const end = (
  deps: Deps,
  row: AuthorizationRow,
  { status, txId = null, reason = null, failure = null }: End,
): Promise<void> =>
  deps.db.transaction(async (tx) => {
    // Every change of an order's authorizations is made under its lock.
    await lockOrder(tx, row.orderId)
    // One that another process has signed meanwhile is not refused any more.
    const from =
      status === 'refused' || status === 'expired' ? (['stored'] as const) : (['stored', 'sent'] as const)
    const isOpen = isThis(row, from)
    const [open] = await tx.select({ txId: authorizations.txId }).from(authorizations).where(isOpen)
    if (!open) return
    await tx
      .update(authorizations)
      .set({ status, reason, failure, ...(txId !== null && { txId }) })
      .where(isOpen)
    const isUnreported = status === 'settled' && txId !== null && txId !== open.txId
    if (isUnreported) await reportTransaction(deps, tx, row, txId)
  })

/** Records the transaction that was sent. */
const noteSent = (deps: Deps, row: AuthorizationRow, txId: string): Promise<void> =>
  deps.db.transaction(async (tx) => {
    await lockOrder(tx, row.orderId)
    const noted = await tx
      .update(authorizations)
      .set({ txId })
      .where(and(isThis(row, ['sent']), sql`${authorizations.txId} is distinct from ${txId}`))
      .returning({ id: authorizations.id })
    if (noted.length) await reportTransaction(deps, tx, row, txId)
  })

/**
 * Asserts, in the transaction that stores the signed bytes, that the money would pay for the order, and records that it is
 * on its way. The order may have been paid or changed since the authorization was stored.
 */
const assertDue =
  ({ now }: Pick<Deps, 'now'>, row: AuthorizationRow) =>
  async (tx: Transaction): Promise<void> => {
    const stored = await lockOrder(tx, row.orderId)
    const nowMs = now()
    if (row.validBefore.getTime() <= nowMs) throw new UndueError(expired)
    const { chain, currency, units } = row
    if (!stored || !acceptsPayment(stored.order, { chain, currency, units, minedAtMs: nowMs })) {
      const failure = 'the order takes no such payment any more'
      throw new UndueError({ status: 'refused', reason: 'invalid_payment_requirements', failure })
    }
    const sent = await tx
      .update(authorizations)
      .set({ status: 'sent' })
      .where(isThis(row, ['stored']))
      .returning({ id: authorizations.id })
    if (!sent.length) throw new ServiceError('conflict', 'another process has ended this authorization')
  }

const writeOf = ({ orderId, currency, units, signed }: AuthorizationRow) => ({
  orderId,
  currency,
  units: BigInt(units),
  authorization: signed,
})

/** Returns why a stored authorization is not sent, as far as the chain shows it now. */
const findRefusal = async (
  deps: Deps,
  { chain, port }: { chain: ChainPort; port: AuthorizationPort },
  row: AuthorizationRow,
): Promise<End | undefined> => {
  if (row.validBefore.getTime() <= deps.now()) return expired
  const write = writeOf(row)
  const simulated = await port.simulate(write)
  if (simulated.status === 'refused') {
    const { reason, message } = simulated
    return { status: 'refused', reason, failure: message }
  }
  const failure = await explainFee(deps, chain, { ...write, fee: simulated.fee })
  return failure === undefined ? undefined : { status: 'refused', reason: 'unexpected_settle_error', failure }
}

const toEnd = (result: WriteResult, { status }: AuthorizationRow): End => {
  if (result.status === 'succeeded') return { status: 'settled', txId: result.txId }
  const { reason: failure, txId } = result
  const reason = 'invalid_exact_evm_transaction_simulation_failed'
  // A transaction that was signed has used gas, or its nonce.
  if (txId === undefined && status === 'stored') return { status: 'refused', reason, failure }
  return { status: 'failed', reason, failure, ...(txId !== undefined && { txId }) }
}

/** Sends an authorization, or waits for the one that was sent, until it is final. */
const send = async (
  deps: Deps,
  port: AuthorizationPort,
  row: AuthorizationRow,
  onLanded: SettleTerms['onLanded'],
): Promise<End> => {
  const { id, attempt } = row
  const key = attemptKey(authorizationKey(row), attempt)
  let noted = Promise.resolve()
  let known: string | undefined
  const note = (txId: string): void => {
    // A transaction is told again with every block.
    if (txId === known) return
    known = txId
    noted = noted
      .then(() => noteSent(deps, row, txId))
      .catch((err: unknown) =>
        deps.log.warn({ id, txId, err }, 'the transaction of a signed payment is not noted'),
      )
  }
  try {
    const result = await port.settle(key, writeOf(row), {
      assertDue: assertDue(deps, row),
      onBroadcast: note,
      onLanded: (txId) => {
        note(txId)
        void noted.then(() => onLanded?.(txId))
      },
    })
    if (result.status === 'failed') {
      deps.log.warn({ id, attempt, reason: result.reason }, 'a signed payment moved no money')
    }
    return toEnd(result, row)
  } catch (error) {
    if (!(error instanceof UndueError)) throw error
    return error.end
  } finally {
    await noted
  }
}

/** What a caller of {@link settleAuthorization} hears. */
export type SettleTerms = Pick<WriteOptions, 'onLanded'>

/**
 * Brings a stored authorization to its end: simulates it, sends it once however often this runs, and waits until it is
 * final. A process that is killed at any line leaves it to the job of the authorization.
 */
export const settleAuthorization = async (
  deps: Deps,
  authorizationId: string,
  { onLanded }: SettleTerms = {},
): Promise<void> => {
  const [row] = await deps.db.select().from(authorizations).where(eq(authorizations.id, authorizationId))
  if (!row || !isAlive(row)) return
  const chain = deps.chains.get(row.chain)
  const port = chain?.authorizations
  if (!chain || !port) throw new Error(`${row.chain} is no longer enabled`)
  await chain.ready()
  const refusal = row.status === 'stored' ? await findRefusal(deps, { chain, port }, row) : undefined
  if (refusal) return end(deps, row, refusal)
  await end(deps, row, await send(deps, port, row, onLanded))
}

/** Creates the handler of the job that settles an authorization. */
export const createSettleHandler =
  (deps: Deps): JobHandler<'authorizations.settle'> =>
  ({ authorizationId }) =>
    settleAuthorization(deps, authorizationId)

/**
 * Returns why a signed authorization must not be signed again, or `undefined` if it is still valid.
 *
 * @param key - The first key of a write, of an authorization or of anything else.
 */
export const explainEndedAuthorization = async (
  db: Database,
  key: string,
  nowMs: number,
): Promise<string | undefined> => {
  const [, orderId, content] = /^authorization:([^:]+):([^:]+)$/.exec(key) ?? []
  if (orderId === undefined || content === undefined) return undefined
  const isOwn = and(eq(authorizations.content, content), eq(authorizations.orderId, orderId))
  const [row] = await db.select().from(authorizations).where(isOwn)
  return row && row.validBefore.getTime() <= nowMs ? 'the time of the signed payment is over' : undefined
}
