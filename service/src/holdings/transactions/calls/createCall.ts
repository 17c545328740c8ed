import { reverted } from 'kassa/engine'
import type { Transaction as TransactionView } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Transaction } from '#base/db/database.js'
import { createTransactionBatch } from '#base/db/transactTogether.js'
import type { Deps } from '#base/deps.js'
import { toServiceError } from '#base/errors.js'
import { groupBy } from '#base/lib/groupBy.js'
import type { CustodialAccount } from '../actingWallet.js'
import { insertTransactions, type NewTransaction } from '../insertTransaction.js'
import { takeSequences } from '../nonceChannels.js'

/** An account's call that passed its simulation, and is not numbered yet. */
type NewCall = { call: Call; fresh: Omit<NewTransaction, 'sequence' | 'status'> }

const insertCalls = async (
  deps: Deps,
  tx: Transaction,
  created: readonly NewCall[],
): Promise<TransactionView[]> => {
  const answers = new Map<NewCall, TransactionView>()
  const channels = groupBy(created, ({ fresh }) => `${fresh.walletId}:${fresh.chain}`)
  // Every transaction locks channels in one order.
  for (const [, own] of [...channels].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const [first] = own
    if (!first) continue
    const sequence = await takeSequences(tx, first.fresh, own.length)
    const requested = own.map(({ call, fresh }, at) => ({
      call,
      fresh: { ...fresh, sequence: sequence + BigInt(at), status: 'pending' as const },
    }))
    const inserted = await insertTransactions(deps, tx, requested)
    for (const [at, each] of own.entries()) answers.set(each, inserted[at] as TransactionView)
  }
  return created.map((each) => answers.get(each) as TransactionView)
}

const batches = new WeakMap<Deps, (created: NewCall) => Promise<TransactionView>>()

/** Numbers and stores a call. Calls that come at about the same time share a database transaction. */
const insertCall = (deps: Deps, created: NewCall): Promise<TransactionView> => {
  const join =
    batches.get(deps) ??
    createTransactionBatch(deps.db, (tx, calls: readonly NewCall[]) => insertCalls(deps, tx, calls))
  batches.set(deps, join)
  return join(created)
}

/**
 * Creates the transaction of an account whose key the service keeps: one call, which is pending at once.
 *
 * @throws {@link ServiceError} `reverted`, `chain-unavailable`.
 */
export const createCall = async (
  deps: Deps,
  call: Call,
  { wallet, port }: CustodialAccount,
  fresh: NewCall['fresh'],
): Promise<TransactionView> => {
  const [only] = fresh.calls
  if (!only) throw new Error('a call was not encoded')
  const tried = await port.try(wallet.address, only, { isSponsored: deps.config.sponsorsGas })
  if (tried.status === 'reverted') throw toServiceError(reverted(tried))
  return insertCall(deps, { call, fresh })
}
