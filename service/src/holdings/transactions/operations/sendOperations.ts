import type { TransactionError } from 'kassa/schema'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import type { BundleResult } from '#base/ports/operations.js'
import { isCustodial } from '#identity/wallets/kinds.js'
import type { SmartWalletOnChain } from '../actingWallet.js'
import type { NonceChannel } from '../nonceChannels.js'
import { recordResults } from '../recordResults.js'
import type { TransactionRow } from '../transaction.js'
import { type Bundle, changeBundle, createBundle, dissolveBundle } from './changeBundle.js'
import { endRefused } from './endRefused.js'
import { sendBundle } from './sendBundle.js'
import { takeBundle } from './takeBundle.js'

/** Moves the refused operation to a bundle with no others, between those before it and those behind it. */
const setApart = (deps: Deps, { members }: Bundle, refused: TransactionRow): Promise<void> =>
  changeBundle(deps, members, async (tx) => {
    await dissolveBundle(
      tx,
      members.filter(({ id }) => id !== refused.id),
    )
    await createBundle(deps, tx, [refused])
  })

type Included = Extract<BundleResult, { status: 'included' }>

const record = async (
  deps: Deps,
  { wallet }: SmartWalletOnChain,
  { members, results }: Pick<Bundle, 'members'> & Pick<Included, 'results'>,
): Promise<void> => {
  const ended = members.flatMap(({ id }, at) => {
    const result = results[at]
    return result ? [{ id, result }] : []
  })
  if (ended.length !== members.length) throw new Error('the end of an operation is missing')
  await deps.db.transaction((tx) => recordResults(deps, tx, wallet, ended))
}

/** How long an operation waits for its chain's gas price to fall to its offer. */
const patienceMs = 60 * 60_000

/** A transaction that waits for its chain's gas price to fall. */
type Waiting = { waiting: TransactionRow; explanation: string }

/** Ends a refused operation, before the others of its bundle are sent. */
const refuse = async (
  deps: Deps,
  on: SmartWalletOnChain,
  { bundle, refused, error }: { bundle: Bundle; refused: TransactionRow; error: TransactionError },
): Promise<void> => {
  const { reason, message } = error
  deps.log.warn({ transactionId: refused.id, reason, explanation: message }, 'a chain refused an operation')
  return bundle.members.length > 1
    ? setApart(deps, bundle, refused)
    : endRefused(deps, on, { row: refused, error })
}

const sendOne = async (deps: Deps, on: SmartWalletOnChain, bundle: Bundle): Promise<Waiting | undefined> => {
  const [first] = bundle.members
  // Another process has just recorded it.
  if (!first) return undefined
  if (first.error) {
    await endRefused(deps, on, { row: first, error: first.error })
    return undefined
  }
  const sent = await sendBundle(on, `bundle:${bundle.id}`, bundle.members)
  if (sent.status === 'included') {
    await record(deps, on, { members: bundle.members, results: sent.results })
    return undefined
  }
  const row = bundle.members[sent.index] ?? first
  if (sent.status === 'refused') {
    await refuse(deps, on, { bundle, refused: row, error: sent.error })
    return undefined
  }
  const { explanation } = sent
  if (deps.now() - row.createdAt.getTime() < patienceMs) return { waiting: row, explanation }
  const error: TransactionError = { reason: 'failed_to_land_on_chain', message: explanation }
  await refuse(deps, on, { bundle, refused: row, error })
  return undefined
}

/**
 * Sends a smart wallet's due operations on a chain, bundle by bundle, until none are left.
 *
 * @throws {@link ServiceError} `chain-unavailable` if an operation waits for a lower gas price. For a
 * custodial wallet, everything behind it waits too; other wallets' operations have separate nonces.
 */
export const sendOperations = async (
  deps: Deps,
  on: SmartWalletOnChain,
  channel: NonceChannel,
): Promise<void> => {
  const skipped: Waiting[] = []
  for (;;) {
    const bundle = await takeBundle(
      deps,
      channel,
      skipped.map(({ waiting }) => waiting.id),
    )
    const late = bundle ? await sendOne(deps, on, bundle) : skipped[0]
    if (late && (!bundle || isCustodial(on.wallet))) {
      throw new ServiceError('chain-unavailable', late.explanation, { retryAfterSeconds: 15 })
    }
    if (!bundle) return
    if (!late) continue
    skipped.push(late)
    await changeBundle(deps, bundle.members, (tx) => dissolveBundle(tx, bundle.members))
  }
}
