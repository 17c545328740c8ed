import { eq } from 'drizzle-orm'
import type { Database } from '../../../service/src/base/db/database.js'
import { chainRefusals, chainTransactions } from '../../../service/src/base/db/tables/index.js'
import { firstKey, type PayOutResult, type WriteOptions } from '../../../service/src/base/ports/write.js'
import type { Chain } from './chain.js'
import type { ServiceCall } from './contracts.js'
import type { Dice } from './dice.js'
import type { PendingTransaction } from './transaction.js'

/** The name of the simulated chain. */
export const chainName = 'base-sepolia'

/** What sending the service's calls needs. */
export type OutboxDeps = {
  db: Database
  chain: Chain
  dice: Dice
  now(): number
  /** Takes the time of a request to a node. It throws once the process has ended, and may end it. */
  request(): Promise<void> | undefined
  /** Returns why a signed call must not be sent again, or `undefined`. */
  explainUndue(key: string): Promise<string | undefined>
  /** Called when a call is signed, so that the simulation can check that it is due. */
  onSigned(call: ServiceCall): void
}

type Row = typeof chainTransactions.$inferSelect

const toTransaction = (call: ServiceCall, { txId, nonce }: Row): PendingTransaction => ({
  // The service offers what the nodes ask for, and raises it as they do.
  type: 'service',
  txId,
  account: 'operator',
  nonce,
  call,
  fee: Number.POSITIVE_INFINITY,
})

const toResult = (chain: Chain, call: ServiceCall, txId: string): PayOutResult => {
  const payOut = chain.contracts.payOuts.get(firstKey(call.key))
  const isPayOut = call.type === 'refund' || call.type === 'sweep'
  if (isPayOut && payOut?.isCredited) return { status: 'credited', txId, contract: 'router' }
  return { status: 'succeeded', txId }
}

/** Waits until a transaction is final, and sends it again while it is neither waiting nor in a block. */
const awaitEnd = async (
  deps: OutboxDeps,
  call: ServiceCall,
  row: Row,
  options: WriteOptions | undefined,
): Promise<PayOutResult> => {
  const { db, chain, request, explainUndue } = deps
  for (;;) {
    await request()
    const included = chain.findIncluded(row.txId)
    if (included && included.failure === undefined) options?.onLanded?.(row.txId)
    if (included && chain.isFinal(included)) {
      const { failure } = included
      const end = { blockNumber: BigInt(included.blockNumber), endedAt: new Date(deps.now()) }
      const status = failure === undefined ? ('succeeded' as const) : ('reverted' as const)
      const isSame = eq(chainTransactions.key, row.key)
      await db
        .update(chainTransactions)
        .set({ ...end, status, revertReason: failure ?? null })
        .where(isSame)
      if (failure === undefined) return toResult(chain, call, row.txId)
      const doneBy = chain.contracts.findDone(call)
      if (doneBy !== undefined) return toResult(chain, call, doneBy)
      return { status: 'failed', reason: failure, txId: row.txId }
    }
    const isKnown = included !== undefined || chain.waiting.has(row.txId)
    if (!isKnown && (await explainUndue(firstKey(call.key))) === undefined) {
      chain.submit(toTransaction(call, row))
    }
    await chain.nextBlock()
  }
}

/** Signs a call in the transaction that checks that it is due. */
const sign = (
  { db, chain, now, onSigned }: OutboxDeps,
  call: ServiceCall,
  options: WriteOptions | undefined,
) =>
  db.transaction(async (tx): Promise<Row | undefined> => {
    const key = `${chainName}:${call.key}`
    await options?.assertDue?.(tx)
    const signed = {
      key,
      chain: chainName,
      sender: 'operator',
      nonce: chain.nextNonce++,
      signedTransaction: '0x',
      txId: `service-${call.key}`,
      status: 'signed' as const,
      createdAt: new Date(now()),
    }
    const [row] = await tx.insert(chainTransactions).values(signed).onConflictDoNothing().returning()
    if (!row) return undefined
    onSigned(call)
    chain.signedCalls.set(key, call)
    return row
  })

/**
 * Makes a call of the service once under its key: signed, stored, sent and followed until it is final, as the port of
 * a chain promises.
 */
export const makeCall = async (
  deps: OutboxDeps,
  call: ServiceCall,
  options?: WriteOptions,
): Promise<PayOutResult> => {
  const { db, chain, dice, request } = deps
  const key = `${chainName}:${call.key}`
  const [known] = await db.select().from(chainTransactions).where(eq(chainTransactions.key, key))
  if (known) return awaitEnd(deps, call, known, options)
  const [refused] = await db.select().from(chainRefusals).where(eq(chainRefusals.key, key))
  if (refused) return { status: 'failed', reason: refused.reason }
  await request()
  const doneBy = chain.contracts.findDone(call)
  if (doneBy !== undefined) {
    const done = chain.findIncluded(doneBy)
    if (!done || chain.isFinal(done)) return toResult(chain, call, doneBy)
    await chain.nextBlock()
    return makeCall(deps, call, options)
  }
  const isRefused = dice.fault(`${call.type} is refused`, 0.03)
  const reason = isRefused ? 'the node refuses it' : chain.contracts.explain(call)
  if (reason !== undefined) {
    const refusal = { key, chain: chainName, reason, createdAt: new Date(deps.now()) }
    await db.insert(chainRefusals).values(refusal).onConflictDoNothing()
    return { status: 'failed', reason }
  }
  const signed = await sign(deps, call, options)
  if (!signed) return makeCall(deps, call, options)
  // The request that sends it may be lost.
  if (!dice.fault('a broadcast is lost', 0.05)) chain.submit(toTransaction(call, signed))
  return awaitEnd(deps, call, signed, options)
}

/** Sends again what a reorganisation has taken back, and no process waits for any more. */
export const recoverCalls = async ({ db, chain, explainUndue }: OutboxDeps): Promise<void> => {
  const succeeded = eq(chainTransactions.status, 'succeeded')
  for (const row of await db.select().from(chainTransactions).where(succeeded)) {
    const call = chain.signedCalls.get(row.key)
    if (!call || chain.findIncluded(row.txId) || chain.waiting.has(row.txId)) continue
    if ((await explainUndue(firstKey(call.key))) === undefined) chain.submit(toTransaction(call, row))
  }
}
