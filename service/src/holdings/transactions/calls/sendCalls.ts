import { asc, eq } from 'drizzle-orm'
import { walletTransactions } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { createUuid } from '#base/lib/uuid.js'
import type { CustodialAccount } from '../actingWallet.js'
import { checkSanctions } from '../checkSanctions.js'
import { isPendingIn, lockNonceChannel, type NonceChannel } from '../nonceChannels.js'
import { recordResults } from '../recordResults.js'
import type { TransactionRow } from '../transaction.js'
import { withCustodialKey } from '../withCustodialKey.js'

/** How many calls of an account may be pending at once. */
const maxAtOnce = 8

/**
 * Takes an account's next due calls and marks each as started before it is signed. A call that must not be
 * sent any more and has not started fails. Returns `undefined` if no calls are left.
 */
const takeCalls = (
  deps: Deps,
  { wallet }: CustodialAccount,
  channel: NonceChannel,
): Promise<TransactionRow[] | undefined> =>
  deps.db.transaction(async (tx) => {
    await lockNonceChannel(tx, channel)
    const waiting = await tx
      .select()
      .from(walletTransactions)
      .where(isPendingIn(channel))
      .orderBy(asc(walletTransactions.sequence))
      .limit(maxAtOnce)
    const taken: TransactionRow[] = []
    for (const row of waiting) {
      const error = row.bundleId === null ? checkSanctions(deps, row) : undefined
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
  { wallet, port }: CustodialAccount,
  { row, privateKey, onSigned }: { row: TransactionRow; privateKey: Uint8Array; onSigned: () => void },
): Promise<void> => {
  const { id, calls } = row
  const [call] = calls
  if (!call) throw new Error('an account’s transaction without a call')
  const encoded = { ...call, value: BigInt(call.value) }
  const input = { privateKey, call: encoded, isSponsored: deps.config.sponsorsGas }
  const result = await port.send(`transaction:${id}`, input, { onSigned })
  await deps.db.transaction((tx) => recordResults(deps, tx, wallet, [{ id, result }]))
}

/** Starts each call once the previous one has its nonce, and waits for all started calls to end. */
const sendInOrder = async (
  deps: Deps,
  on: CustodialAccount,
  { rows, privateKey }: { rows: readonly TransactionRow[]; privateKey: Uint8Array },
): Promise<void> => {
  const begun: Promise<void>[] = []
  for (const row of rows) {
    const isOrdered = await new Promise<boolean>((resolve) => {
      const sent = sendCall(deps, on, { row, privateKey, onSigned: () => resolve(true) })
      begun.push(sent)
      sent.then(
        () => resolve(true),
        () => resolve(false),
      )
    })
    if (!isOrdered) break
  }
  // The first failure ends the job, but the key is erased only after all signing has ended.
  await Promise.allSettled(begun)
  await Promise.all(begun)
}

/** Sends the due calls of an account whose key the service keeps, in order, until none are left. */
export const sendCalls = async (deps: Deps, on: CustodialAccount, channel: NonceChannel): Promise<void> => {
  for (;;) {
    const rows = await takeCalls(deps, on, channel)
    if (!rows) return
    if (!rows.length) continue
    await withCustodialKey(deps, on.wallet, (privateKey) => sendInOrder(deps, on, { rows, privateKey }))
  }
}
