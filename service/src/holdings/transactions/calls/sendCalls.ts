import { setTimeout as sleep } from 'node:timers/promises'
import { and, asc, gt, inArray } from 'drizzle-orm'
import { walletTransactions } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { createUuid } from '#base/lib/uuid.js'
import type { WriteOptions } from '#base/ports/write.js'
import type { CustodialAccount } from '../actingWallet.js'
import { checkSanctions } from '../checkSanctions.js'
import { isPendingIn, lockNonceChannel, type NonceChannel } from '../nonceChannels.js'
import { createRecorder, type EndedTransaction, recordResults } from '../recordResults.js'
import type { TransactionRow } from '../transaction.js'
import { withCustodialKey } from '../withCustodialKey.js'

/** How many calls of an account are taken at once. */
const maxAtOnce = 100
/**
 * While so many calls are in no block yet, no more are taken: nodes keep a limited number for each account. While some
 * wait for their block, others wait for their gas.
 */
const maxUnlanded = 2 * maxAtOnce
/** How long after some calls are taken those of the next time are gathered. */
const gatherMs = 200

/** A run of the job of a wallet on a chain. Jobs of the same that start meanwhile ask the run to look again. */
export type SendRun = {
  isAskedAgain: boolean
  /** Called when the run is asked again. */
  onAsked: () => void
}

/** Calls to send: some of a number of calls that were due, and the position of the last of those. */
type TakenCalls = { rows: readonly TransactionRow[]; count: number; last: bigint }

/**
 * Takes an account's next due calls after a position, and marks them as started before they are signed. A call that
 * must not be sent any more and has not started fails.
 */
const takeCalls = (
  deps: Deps,
  { wallet }: CustodialAccount,
  { after, ...channel }: NonceChannel & { after: bigint },
): Promise<TakenCalls> =>
  deps.db.transaction(async (tx) => {
    await lockNonceChannel(tx, channel)
    const waiting = await tx
      .select()
      .from(walletTransactions)
      .where(and(isPendingIn(channel), gt(walletTransactions.sequence, after)))
      .orderBy(asc(walletTransactions.sequence))
      .limit(maxAtOnce)
    const refused = waiting.flatMap((row): EndedTransaction[] => {
      const error = row.bundleId === null ? checkSanctions(deps, row) : undefined
      return error ? [{ id: row.id, result: { status: 'failed', error } }] : []
    })
    await recordResults(deps, tx, wallet, refused)
    const isRefused = new Set(refused.map(({ id }) => id))
    const rows = waiting.filter(({ id }) => !isRefused.has(id))
    const started = rows.filter(({ bundleId }) => bundleId === null).map(({ id }) => id)
    if (started.length) {
      const bundleId = createUuid(deps.randomBytes)
      await tx.update(walletTransactions).set({ bundleId }).where(inArray(walletTransactions.id, started))
    }
    return { rows, count: waiting.length, last: waiting.at(-1)?.sequence ?? after }
  })

/** The calls that a run has begun, by what they still wait for. */
const createProgress = () => {
  const unsigned = new Set<string>()
  const unlanded = new Set<string>()
  const open = new Set<Promise<void>>()
  let failure: { error: unknown } | undefined
  let tell = (): void => {}
  return {
    unsigned,
    unlanded,
    open,
    /** The first failure. It ends the run, once all calls that have begun have ended. */
    getFailure: () => failure,
    /** Looks again whether what is waited for is so. */
    tell: () => tell(),
    /** Waits until something is so, or a call has failed. */
    until: async (isSo: () => boolean): Promise<void> => {
      while (!isSo() && !failure) {
        await new Promise<void>((resolve) => {
          tell = resolve
        })
      }
    },
    /** Begins a call, and follows it to its end. */
    begin: (id: string, send: (hear: Pick<WriteOptions, 'onSigned' | 'onLanded'>) => Promise<void>): void => {
      const pass = (set: Set<string>) => () => {
        if (set.delete(id)) tell()
      }
      unsigned.add(id)
      unlanded.add(id)
      const ended = send({ onSigned: pass(unsigned), onLanded: pass(unlanded) })
        .catch((error: unknown) => {
          failure ??= { error }
        })
        .then(() => {
          for (const set of [unsigned, unlanded]) set.delete(id)
          open.delete(ended)
          tell()
        })
      open.add(ended)
    },
  }
}

/**
 * Sends the due calls of an account whose key the service keeps, in order, until none are left. Those that wait at the
 * same time are signed together, and no call waits for the confirmations of those before it.
 */
export const sendCalls = async (
  deps: Deps,
  { run, ...on }: CustodialAccount & { run: SendRun },
  channel: NonceChannel,
): Promise<void> => {
  const { wallet, port } = on
  const { unsigned, unlanded, open, getFailure, tell, until, begin } = createProgress()
  const record = createRecorder(deps, wallet)
  const beginCall = ({ id, calls: [call] }: TransactionRow, privateKey: Uint8Array): void =>
    begin(id, async (hear) => {
      if (!call) throw new Error('an account’s transaction without a call')
      const encoded = { ...call, value: BigInt(call.value) }
      const input = { privateKey, call: encoded, isSponsored: deps.config.sponsorsGas }
      await record({ id, result: await port.send(`transaction:${id}`, input, hear) })
    })
  const sendFrom = async (first: TakenCalls, privateKey: Uint8Array): Promise<void> => {
    for (let taken = first; taken.count || open.size; ) {
      // The port signs calls in the order in which it gets them.
      for (const row of taken.rows) beginCall(row, privateKey)
      const gathered = sleep(taken.rows.length ? gatherMs : 0, undefined, { ref: false })
      await until(() => !unsigned.size)
      const isMore = taken.count === maxAtOnce
      if (!isMore) await until(() => run.isAskedAgain || !open.size)
      if (!isMore && open.size) await gathered
      await until(() => unlanded.size < maxUnlanded)
      if (getFailure()) return
      run.isAskedAgain = false
      taken = await takeCalls(deps, on, { ...channel, after: taken.last })
    }
  }

  run.onAsked = tell
  const first = await takeCalls(deps, on, { ...channel, after: -1n })
  if (!first.count) return
  await withCustodialKey(deps, wallet, async (privateKey) => {
    // The key is erased only after all signing has ended.
    await sendFrom(first, privateKey).finally(() => Promise.all(open))
  })
  const failure = getFailure()
  if (failure) throw failure.error
}
