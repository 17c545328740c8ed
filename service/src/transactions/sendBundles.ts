import type { TransactionError } from 'kassa/schema'
import type { BundleResult } from '../chains/walletPort.js'
import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'
import { type Bundle, changeBundle, putTogether, takeApart } from './changeBundle.js'
import type { WalletOnChain } from './createOperation.js'
import { endRefused } from './endRefused.js'
import type { Lane } from './lanes.js'
import { recordResults } from './recordResults.js'
import { sendBundle } from './sendBundle.js'
import { takeBundle } from './takeBundle.js'
import type { TransactionRow } from './transaction.js'

/** Has the one that was refused tried alone, after those before it and ahead of those behind it. */
const setApart = (deps: Deps, { members }: Bundle, refused: TransactionRow): Promise<void> =>
  changeBundle(deps, members, async (tx) => {
    await takeApart(
      tx,
      members.filter(({ id }) => id !== refused.id),
    )
    await putTogether(deps, tx, [refused])
  })

const record = async (
  deps: Deps,
  { wallet }: WalletOnChain,
  { members }: Bundle,
  sent: Extract<BundleResult, { status: 'included' }>,
): Promise<void> => {
  const ended = members.flatMap(({ id }, at) => {
    const result = sent.results[at]
    return result ? [{ id, result }] : []
  })
  if (ended.length !== members.length) throw new Error('the end of an operation is missing')
  await deps.db.transaction((tx) => recordResults(deps, tx, wallet, ended))
}

/** How long an operation waits for its chain to take no more for its gas than it offers. */
const patienceMs = 60 * 60_000

/** @throws {@link ServiceError} `chain-unavailable` while the chain may still become cheaper. */
const readRefusal = (
  deps: Deps,
  { members }: Bundle,
  sent: Exclude<BundleResult, { status: 'included' }>,
): { refused: TransactionRow | undefined; error: TransactionError } => {
  const refused = members[sent.index]
  if (sent.status === 'refused') return { refused, error: sent.error }
  const { explanation: message } = sent
  const isOld = refused !== undefined && deps.now() - refused.createdAt.getTime() >= patienceMs
  if (!isOld) throw new ServiceError('chain-unavailable', message, { retryAfterSeconds: 15 })
  return { refused, error: { reason: 'failed_to_land_on_chain', message } }
}

const sendOne = async (deps: Deps, on: WalletOnChain, bundle: Bundle): Promise<void> => {
  const [first] = bundle.members
  // Another process recorded it in this moment.
  if (!first) return
  if (first.error) return endRefused(deps, on, first, first.error)
  const sent = await sendBundle(on, `bundle:${bundle.id}`, bundle.members)
  if (sent.status === 'included') return record(deps, on, bundle, sent)
  const { refused = first, error } = readRefusal(deps, bundle, sent)
  const { reason, message } = error
  deps.log.warn({ transactionId: refused.id, reason, explanation: message }, 'a chain refused an operation')
  return bundle.members.length > 1 ? setApart(deps, bundle, refused) : endRefused(deps, on, refused, error)
}

/** Sends what is due of a smart wallet on a chain, bundle by bundle, until nothing is. */
export const sendBundles = async (deps: Deps, on: WalletOnChain, lane: Lane): Promise<void> => {
  for (;;) {
    const bundle = await takeBundle(deps, lane)
    if (!bundle) return
    await sendOne(deps, on, bundle)
  }
}
