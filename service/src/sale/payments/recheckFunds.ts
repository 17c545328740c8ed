import { and, eq, gt, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import { hintedForMs, transition } from 'kassa/engine'
import { orders } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { chunk } from '#base/lib/chunk.js'
import type { ChainPort, PayerHoldings } from '#base/ports/chain.js'
import type { EmitDeps } from '../orders/emitOrderEvents.js'
import { listFollowed } from '../orders/followedOrders.js'
import { checkPayer } from '../orders/prepareQuote.js'
import { lockOrder, type StoredOrder } from '../orders/store.js'
import { applyEvents } from '../orders/updateOrder.js'

type FundsDeps = EmitDeps & Pick<Deps, 'db' | 'chains' | 'config' | 'orderStreams' | 'randomBytes' | 'rates'>

/** Which orders one check covers. */
export type FundsOptions = {
  /** How many orders at most. */
  limit: number
  /** Whether to leave the orders that no caller of this process follows to another process. */
  isFollowedOnly?: boolean
}

/** More followed orders than one statement looks through. Chance decides which ones it does. */
const maxFollowed = 1_000
/** How many orders are checked together: their questions fit into one request. */
const ordersAtOnce = 6
/** How long a payer whose holdings stay the same is left out. The fees may fall meanwhile. */
const sameForMs = 30_000

const lackingStatuses = ['crypto-payer-insufficient-funds', 'crypto-payer-insufficient-funds-for-gas']

const readWaiting = async (
  deps: FundsDeps,
  chain: string,
  { limit, isFollowedOnly = false }: FundsOptions,
): Promise<StoredOrder[]> => {
  const followed = [...listFollowed(deps)]
  const first = Buffer.from(deps.randomBytes(2)).readUInt16BE() % (followed.length || 1)
  const some = [...followed.slice(first), ...followed.slice(0, first)].slice(0, maxFollowed)
  const isFollowed = some.length ? inArray(orders.id, some) : undefined
  const isLacking = inArray(sql`${orders.document} -> 'payment' ->> 'status'`, lackingStatuses)
  const isWanted = isFollowedOnly ? isFollowed : or(isLacking, isFollowed)
  if (!isWanted) return []
  return (
    deps.db
      .select({ order: orders.document, revision: orders.revision })
      .from(orders)
      .where(
        and(
          eq(orders.chain, chain),
          eq(orders.phase, 'payment'),
          gt(orders.quoteExpiresAt, new Date(deps.now())),
          sql`${orders.document} -> 'payment' ->> 'payerAddress' is not null`,
          sql`${orders.document} -> 'payment' ->> 'status' <> 'in-progress'`,
          // They may be paid already, so checking their funds would serve nothing.
          or(isNull(orders.hintedAt), lte(orders.hintedAt, new Date(deps.now() - hintedForMs))),
          isWanted,
        ),
      )
      // Those whose buyer has nothing to sign come first: a part of their price was just paid.
      .orderBy(sql`${orders.document} -> 'payment' ? 'serializedTransaction'`, sql`random()`)
      .limit(limit)
  )
}

/** What the last check of an order saw. */
type Checked = PayerHoldings & { revision: number; atMs: number }

const checked = new WeakMap<ChainPort, Map<string, Checked>>()

/** An order to check, and what its payer holds. */
type Waiting = StoredOrder & { holdings: PayerHoldings | undefined }

/** Reads what payers hold, and leaves out the orders for which that tells nothing new. */
const readChanged = async (
  { now }: Pick<Deps, 'now'>,
  chain: ChainPort,
  stored: readonly StoredOrder[],
): Promise<Waiting[]> => {
  const payers = stored.map(({ order: { payment } }) => {
    return { payer: payment.payerAddress ?? '', currency: payment.currency }
  })
  const holdings = await chain.readHoldings(payers)
  const known = checked.get(chain)
  return stored.flatMap(({ order, revision }, at) => {
    const [held, last] = [holdings[at], known?.get(order.orderId)]
    const isSame =
      held !== undefined &&
      last?.revision === revision &&
      last.native === held.native &&
      last.units === held.units &&
      now() - last.atMs < sameForMs
    return isSame ? [] : [{ order, revision, holdings: held }]
  })
}

/** Keeps what a check saw, and forgets what is too old to matter. */
const keepChecked = (chain: ChainPort, orderId: string, seen: Checked): void => {
  const known = checked.get(chain) ?? new Map<string, Checked>()
  checked.set(chain, known)
  known.delete(orderId)
  known.set(orderId, seen)
  for (const [oldId, { atMs }] of known) {
    if (seen.atMs - atMs < sameForMs) break
    known.delete(oldId)
  }
}

const recheckOrder = async (
  deps: FundsDeps,
  chain: ChainPort,
  { order, revision, holdings }: Waiting,
): Promise<void> => {
  const funds = await checkPayer(deps, order).catch((error: unknown) => {
    // An order that is over a limit waits, and no other one waits for it.
    if (error instanceof ServiceError && error.code === 'rate-limited') return undefined
    throw error
  })
  if (!funds) return
  if (holdings) keepChecked(chain, order.orderId, { ...holdings, revision, atMs: deps.now() })
  const event = { type: 'funds-checked', funds } as const
  if (transition(order, event, deps.now()).order === order) return
  await deps.db.transaction(async (tx) => {
    const stored = await lockOrder(tx, order.orderId)
    // The check was of another quote's payment.
    if (stored?.revision !== revision) return
    await applyEvents(deps, tx, stored, [event])
  })
}

/**
 * Checks again whether the payers of unpaid orders can pay: of those that lacked funds, and of those that a caller
 * follows. It first asks, in few requests, whether what they hold has changed.
 */
export const recheckFunds = async (deps: FundsDeps, name: string, options: FundsOptions): Promise<void> => {
  const chain = deps.chains.get(name)
  const stored = chain ? await readWaiting(deps, name, options) : []
  if (!chain || !stored.length) return
  const failures: unknown[] = []
  for (const some of chunk(await readChanged(deps, chain, stored), ordersAtOnce)) {
    const results = await Promise.allSettled(some.map((waiting) => recheckOrder(deps, chain, waiting)))
    failures.push(...results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : [])))
    // A node that is away is not asked about the others.
    if (failures.some((error) => error instanceof ServiceError && error.code === 'chain-unavailable')) break
  }
  if (failures.length) throw failures[0]
}
