import { asc, eq } from 'drizzle-orm'
import { createUuid } from '../createUuid.js'
import { walletTransactions } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import type { WalletOnChain } from './createOperation.js'
import { isPendingIn, type Lane, lockLane } from './lanes.js'
import { recordResults } from './recordResults.js'
import { screenTransaction } from './screen.js'
import type { TransactionRow } from './transaction.js'
import { withCustodialKey } from './withCustodialKey.js'

/** How many calls of an account may be on their way at once. */
const mostAtOnce = 8

/**
 * Takes the calls that are due next of an account. Each is marked as begun before anything of it is signed; what may
 * not be sent any more, and was not begun, has failed. Undefined where nothing is left.
 */
const takeCalls = (
  deps: Deps,
  { wallet }: WalletOnChain,
  lane: Lane,
): Promise<TransactionRow[] | undefined> =>
  deps.db.transaction(async (tx) => {
    await lockLane(tx, lane)
    const waiting = await tx
      .select()
      .from(walletTransactions)
      .where(isPendingIn(lane))
      .orderBy(asc(walletTransactions.sequence))
      .limit(mostAtOnce)
    const taken: TransactionRow[] = []
    for (const row of waiting) {
      const error = row.bundleId === null ? screenTransaction(deps, row) : undefined
      if (error) await recordResults(deps, tx, wallet, [{ id: row.id, result: { status: 'failed', error } }])
      else taken.push(row)
      if (error || row.bundleId !== null) continue
      const bundleId = createUuid(deps.randomBytes)
      await tx.update(walletTransactions).set({ bundleId }).where(eq(walletTransactions.id, row.id))
    }
    return waiting.length ? taken : undefined
  })

const sendCall = async (
  deps: Deps,
  { wallet, port }: WalletOnChain,
  { id, calls: [call] }: TransactionRow,
  privateKey: Uint8Array,
  onSigned: () => void,
): Promise<void> => {
  if (!call) throw new Error('an account’s transaction without a call')
  const encoded = { ...call, value: BigInt(call.value) }
  const input = { privateKey, call: encoded, isSponsored: deps.config.sponsorsGas }
  const result = await port.sendCall(`transaction:${id}`, input, { onSigned })
  await deps.db.transaction((tx) => recordResults(deps, tx, wallet, [{ id, result }]))
}

/** Begins each once the one before has its nonce, and waits for the end of all that began. */
const sendInOrder = async (
  deps: Deps,
  on: WalletOnChain,
  rows: readonly TransactionRow[],
  privateKey: Uint8Array,
): Promise<void> => {
  const begun: Promise<void>[] = []
  for (const row of rows) {
    const isOrdered = await new Promise<boolean>((resolve) => {
      const sent = sendCall(deps, on, row, privateKey, () => resolve(true))
      begun.push(sent)
      sent.then(
        () => resolve(true),
        () => resolve(false),
      )
    })
    if (!isOrdered) break
  }
  // Whoever is first to fail ends the job; but the key is wiped only when nobody signs any more.
  await Promise.allSettled(begun)
  await Promise.all(begun)
}

/** Sends what is due of an account that the service keeps the key of, in order, until nothing is. */
export const sendAccountCalls = async (deps: Deps, on: WalletOnChain, lane: Lane): Promise<void> => {
  for (;;) {
    const rows = await takeCalls(deps, on, lane)
    if (!rows) return
    if (!rows.length) continue
    await withCustodialKey(deps, on.wallet, (privateKey) => sendInOrder(deps, on, rows, privateKey))
  }
}
