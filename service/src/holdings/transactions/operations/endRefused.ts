import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { operationOf } from 'kassa/engine'
import type { TransactionError } from 'kassa/schema'
import { walletTransactions } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import type { BundleResult } from '#base/ports/operations.js'
import { isCustodial } from '#identity/wallets/kinds.js'
import { toSmartWalletRef } from '#identity/wallets/smartWalletRef.js'
import type { SmartWalletOnChain } from '../actingWallet.js'
import { recordResults } from '../recordResults.js'
import type { TransactionRow } from '../transaction.js'
import { withCustodialKey } from '../withCustodialKey.js'
import { changeBundle, createBundle } from './changeBundle.js'
import { type Draft, prepareDraft, withNonce } from './prepareDraft.js'
import { sendBundle } from './sendBundle.js'
import { giveUp } from './takeBundle.js'

/**
 * How long to wait for a chain that lacks an earlier operation. A lagging or reorganised chain has caught up
 * by then.
 */
const patienceMs = 15 * 60_000

/** Finds the transaction of a custodial wallet that was on chain with a nonce. */
const findEnded = async (
  { db }: Pick<Deps, 'db'>,
  { walletId, chain }: TransactionRow,
  nonce: bigint,
): Promise<TransactionRow | undefined> => {
  const hasNonce = sql`${walletTransactions.operation}->>'nonce' = ${`0x${nonce.toString(16)}`}`
  const [ended] = await db
    .select()
    .from(walletTransactions)
    .where(
      and(
        eq(walletTransactions.walletId, walletId),
        eq(walletTransactions.chain, chain),
        isNotNull(walletTransactions.txId),
        hasNonce,
      ),
    )
  return ended
}

/**
 * Fills the nonce before a custodial wallet's operation, once its chain has lacked it for long: with the
 * identical earlier operation, or with an empty one if that is not known.
 */
const fillGap = async (
  deps: Deps,
  on: SmartWalletOnChain,
  { row, nonce }: { row: TransactionRow; nonce: bigint },
): Promise<void> => {
  const { db, log } = deps
  if (!row.gapSeenAt) {
    const gapSeenAt = new Date(deps.now())
    await db.update(walletTransactions).set({ gapSeenAt }).where(eq(walletTransactions.id, row.id))
    return
  }
  if (deps.now() - row.gapSeenAt.getTime() < patienceMs) return
  const ended = await findEnded(deps, row, nonce)
  if (!ended) {
    await burnNonce(deps, on, { key: `unused:${row.bundleId}`, nonce })
    return
  }
  const sent = await sendBundle(on, `again:${row.bundleId}`, [ended])
  const [result] = sent.status === 'included' ? sent.results : []
  log.warn(
    { transactionId: ended.id, sent: sent.status },
    'a chain had lost an operation, which was sent again',
  )
  if (!result?.txId) return
  const { txId } = result
  await db.update(walletTransactions).set({ txId }).where(eq(walletTransactions.id, ended.id))
}

/** The next attempt uses another key, because this one's outcome is known. */
const tryLater = async (deps: Deps, row: TransactionRow, message: string): Promise<never> => {
  await changeBundle(deps, [row], (tx) => createBundle(deps, tx, [row]))
  throw new ServiceError('chain-unavailable', message, { retryAfterSeconds: 10 })
}

/**
 * Ends a transaction that a chain refused, or that must not be sent any more. It stays pending while it could
 * still land. If the service numbers the wallet's operations, that is until its nonce is used up, which later
 * operations wait for; otherwise until its deadline has passed.
 *
 * @throws {@link ServiceError} `chain-unavailable` if the job must try again later.
 */
export const endRefused = async (
  deps: Deps,
  on: SmartWalletOnChain,
  { row, error }: { row: TransactionRow; error: TransactionError },
): Promise<void> => {
  const { wallet, port } = on
  const quit = () => changeBundle(deps, [row], (tx) => giveUp(tx, row, error))
  if (!isCustodial(wallet)) return quit()

  const { operation } = operationOf(row)
  const nonce = BigInt(operation.nonce)
  const next = await port.getNonce(wallet.address, 0n)
  if (next < nonce) {
    await fillGap(deps, on, { row, nonce: next })
    return tryLater(deps, row, `An operation before ${row.id} is not on its chain yet`)
  }
  if (next === nonce) {
    if (!row.error) await quit()
    const used = await burnNonce(deps, on, { key: `unused:${row.bundleId}`, nonce })
    if (used.status !== 'included') {
      deps.log.error({ transactionId: row.id, used }, 'a nonce could not be used up')
      return tryLater(deps, row, `The nonce of ${row.id} could not be used up`)
    }
  }
  // Its nonce is used: by this operation, if another sender included it after all, or by another one.
  const sent = await sendBundle(on, `last:${row.bundleId}`, [row])
  // The check above saw its nonce used, so a node that is behind gave this answer.
  if (sent.status === 'underpriced') return tryLater(deps, row, sent.explanation)
  const [result] = sent.status === 'included' ? sent.results : []
  const ended = { id: row.id, result: result ?? { status: 'failed' as const, error } }
  await changeBundle(deps, [row], (tx) => recordResults(deps, tx, wallet, [ended]))
}

/**
 * Prepares an operation that does nothing. Its wallet pays for it as for any other, unless its funds are too
 * low.
 */
const draftNothing = async (
  { config }: Deps,
  { wallet, port }: SmartWalletOnChain,
  nonce: bigint,
): Promise<Draft> => {
  const calls = [{ to: wallet.address, value: 0n, data: '0x' }]
  const draft = (isSponsored: boolean) => prepareDraft(port, wallet, { calls, nonce, isSponsored })
  if (config.sponsorsGas) return draft(true)
  return draft(false).catch((error) => {
    if (error instanceof ServiceError && error.code === 'reverted') return draft(true)
    throw error
  })
}

/** Uses up a nonce of a custodial wallet with an operation that does nothing. */
const burnNonce = async (
  deps: Deps,
  on: SmartWalletOnChain,
  { key, nonce }: { key: string; nonce: bigint },
): Promise<BundleResult> => {
  const { wallet, port } = on
  const { operation } = await draftNothing(deps, on, nonce)
  const unsigned = withNonce(operation, nonce)
  const signature = await withCustodialKey(deps, wallet, (privateKey) =>
    port.sign(privateKey, port.hash(unsigned)),
  )
  const operations = [{ ...unsigned, signature }]
  return port.send(key, { operations, errors: [[]], wallet: toSmartWalletRef(wallet) })
}
