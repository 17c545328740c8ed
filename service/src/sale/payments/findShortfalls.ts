import { and, eq, inArray } from 'drizzle-orm'
import { type OrderState, payOutKeyOf, sweepKeys } from 'kassa/engine'
import { payments } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import type { ChainPort } from '#base/ports/chain.js'
import { suspendCurrency } from '#goods/collections/suspendedCurrencies.js'
import { createOrderReader } from '../orders/store.js'

/** A payment that is about to be confirmed. @units base units of `currency` */
type FinalPayment = { id: string; orderId: string; currency: string; units: bigint; blockNumber: bigint }

type Place = { orderId: string; currency: string }

/** What arrived of a token for an order, where that is less than what its payments say. */
export type Shortfalls = ReadonlyMap<string, bigint>

const keyOf = ({ orderId, currency }: Place): string => `${orderId} ${currency}`

/** Adds up what final payments to these places say, those that are about to be confirmed included. */
const sumClaimed = async (
  { db }: Pick<Deps, 'db'>,
  chain: string,
  news: readonly FinalPayment[],
): Promise<(Place & { units: bigint })[]> => {
  const isFinal = and(
    inArray(payments.orderId, [...new Set(news.map(({ orderId }) => orderId))]),
    eq(payments.chain, chain),
    eq(payments.status, 'confirmed'),
  )
  const { id, orderId, currency, units } = payments
  const rows = await db.select({ id, orderId, currency, units }).from(payments).where(isFinal)
  const all = new Map<string, Place & { units: bigint }>()
  for (const row of rows) all.set(row.id, { ...row, units: BigInt(row.units) })
  for (const seen of news) all.set(seen.id, seen)
  const sums = new Map(news.map((seen) => [keyOf(seen), { ...seen, units: 0n }]))
  for (const paid of all.values()) {
    const sum = sums.get(keyOf(paid))
    if (sum) sum.units += paid.units
  }
  return [...sums.values()]
}

/** Returns the keys of what may have been paid out of an order's own money. */
const payOutKeysOf = (order: OrderState | undefined): string[] => {
  if (!order) return []
  const own = order.refunds.filter(({ source }) => source !== 'treasury')
  return [...own.map(payOutKeyOf), ...sweepKeys(order)]
}

/**
 * Compares what payments in tokens say with what arrived, before they are confirmed: only the balance counts, and a
 * token may take a fee on transfer. A token that says more than arrives is taken off sale.
 */
export const findShortfalls = async (
  deps: Pick<Deps, 'db' | 'log' | 'now'>,
  chain: ChainPort,
  confirmed: readonly FinalPayment[],
): Promise<Shortfalls> => {
  const tokens = new Set(chain.currencies.flatMap(({ currency, address }) => (address ? currency : [])))
  const news = confirmed.filter(({ currency }) => tokens.has(currency))
  if (!chain.readArrived || !news.length) return new Map()
  const since = news.reduce((last, { blockNumber }) => (blockNumber > last ? blockNumber : last), 0n)
  const claimed = await sumClaimed(deps, chain.chain, news)
  const balances = await chain.readArrived({
    since,
    orders: claimed.map(({ orderId, currency }) => ({ orderId, currency, payOutKeys: [] })),
  })
  const suspects = claimed.filter(({ units }, at) => (balances[at] ?? 0n) < units)
  if (!suspects.length) return new Map()
  // Something may have been paid out before.
  const readOrder = createOrderReader(deps.db)
  const orders = await Promise.all(
    suspects.map(async ({ orderId, currency }) => {
      return { orderId, currency, payOutKeys: payOutKeysOf(await readOrder(orderId)) }
    }),
  )
  const arrived = await chain.readArrived({ since, orders })
  const short = suspects.flatMap((place, at) => {
    const units = arrived[at] ?? 0n
    return units < place.units ? [{ ...place, arrived: units }] : []
  })
  for (const { orderId, currency, units, arrived: least } of short) {
    const reason = `${least} of ${units} base units arrived for ${orderId}: the token may take a fee on transfer`
    await suspendCurrency(deps, { chain: chain.chain, currency, reason })
  }
  return new Map(short.map((place) => [keyOf(place), place.arrived]))
}

/**
 * Divides what arrived among the payments that are confirmed now, in proportion to what they say. What was confirmed
 * before keeps its amount.
 *
 * @returns The amounts of those that said more, by their ids.
 */
export const shareArrived = (
  shortfalls: Shortfalls,
  chain: string,
  order: OrderState,
  confirmed: readonly { id: string; currency: string; units: string }[],
): ReadonlyMap<string, string> => {
  const shares = new Map<string, string>()
  for (const currency of new Set(confirmed.map((paid) => paid.currency))) {
    const arrived = shortfalls.get(keyOf({ orderId: order.orderId, currency }))
    if (arrived === undefined) continue
    const before = order.payments.filter(
      (paid) =>
        paid.chain === chain && paid.currency === currency && paid.use !== 'undecided' && !paid.isLost,
    )
    let left = before.reduce((sum, { units }) => sum - BigInt(units), arrived)
    if (left < 0n) left = 0n
    const own = confirmed.filter((paid) => paid.currency === currency)
    let claimed = own.reduce((sum, { units }) => sum + BigInt(units), 0n)
    for (const { id, units } of own) {
      if (left >= claimed) break
      // By what is left, so that what is rounded off goes to the next one.
      const share = (BigInt(units) * left) / claimed
      shares.set(id, `${share}`)
      claimed -= BigInt(units)
      left -= share
    }
  }
  return shares
}
