import type { OrderState } from 'kassa/engine'
import { payOutKeyOf, sweepKeys } from 'kassa/engine'
import type { Statement } from '#base/ports/chain.js'
import type { ChainCurrency } from '#base/ports/currency.js'
import { usesOf } from '../orders/bookMoney.js'

/** The columns of the books, in their order. */
export const ledgerColumns = [
  /** Paid, as recorded: seen in a block, or confirmed. */
  'received',
  /** The price of delivered line items. */
  'delivered',
  /** Undecided payments, parts of a price, and the price of line items that are being delivered. */
  'open',
  /** Sent back, as the chain says. */
  'refunded',
  /** Credited to a payer or recipient of proceeds that could not receive it, as the chain says, and not claimed yet. */
  'claimable',
  /** To be sent back: pending, held, or refused by the chain. */
  'owed',
  /** Moved to the recipient of the proceeds, less what the treasury returned for refunds, as the chain says. */
  'swept',
  /** What the chain still holds. */
  'held',
  /** What is left: received but in no other column, or on the chain but not received, or the reverse. */
  'difference',
] as const

/** Money of one currency on one chain. @units base units of `currency` */
export type LedgerLine = { chain: string; currency: string; decimals: number } & Record<
  (typeof ledgerColumns)[number],
  bigint
>

/** The line of one order. Without `orderId`, it is money that left for no order or that a contract lacks. */
export type OrderLine = LedgerLine & { orderId?: string }

/** Money that arrived where no payment was requested. @units base units of `currency` */
export type UnattributedFunds = {
  orderId?: string
  chain: string
  currency: string
  decimals: number
  units: bigint
}

/** The database's records, and the chains' own statements. */
export type Books = {
  orders: readonly OrderState[]
  payments: readonly { orderId: string; chain: string; currency: string; units: string }[]
  refunds: readonly {
    id: string
    /** The key under which the chain pays it; null for its id. */
    payOutKey?: string | null
    orderId: string
    chain: string
    currency: string
    units: string
    source?: 'order' | 'treasury'
  }[]
  chains: readonly { chain: string; currencies: readonly ChainCurrency[]; statement: Statement }[]
}

type Place = { orderId?: string | undefined; chain: string; currency: string }
/** A line with the part of `claimable` that is proceeds, which are `delivered` as well. */
type OpenLine = OrderLine & { claimableProceeds: bigint }
type Column = Exclude<(typeof ledgerColumns)[number], 'difference'> | 'claimableProceeds'

const absolute = (units: bigint): bigint => (units < 0n ? -units : units)

/** Adds amounts to their lines, and creates missing lines. */
const openLines = (chains: Books['chains']) => {
  const lines = new Map<string, OpenLine>()
  const newLine = ({ orderId, chain, currency }: Place): OpenLine => {
    const currencies = chains.find((known) => known.chain === chain)?.currencies
    const decimals = currencies?.find((known) => known.currency === currency)?.decimals ?? 0
    const nothing = {
      received: 0n,
      delivered: 0n,
      open: 0n,
      refunded: 0n,
      claimable: 0n,
      claimableProceeds: 0n,
      owed: 0n,
      swept: 0n,
      held: 0n,
    }
    return {
      ...(orderId !== undefined && { orderId }),
      chain,
      currency,
      decimals,
      ...nothing,
      difference: 0n,
    }
  }
  const add = (place: Place, column: Column, units: bigint | string): void => {
    const key = JSON.stringify([place.chain, place.currency, place.orderId])
    const line = lines.get(key) ?? newLine(place)
    lines.set(key, { ...line, [column]: line[column] + BigInt(units) })
  }
  return { lines, add }
}

/** Returns the ids of the refunds of payments that a deep reorganisation took back. */
const listRefundsOfLost = ({ payments, refunds }: OrderState): string[] => {
  const lost = new Set(payments.filter(({ isLost }) => isLost).map(({ id }) => id))
  return refunds.filter(({ paymentId }) => lost.has(paymentId)).map(({ id }) => id)
}

const withDifference = ({ claimableProceeds, ...line }: OpenLine): OrderLine => {
  const { received, delivered, open, refunded, claimable, owed, swept, held } = line
  const unassigned = received - delivered - open - refunded - (claimable - claimableProceeds) - owed
  const unrecorded = held + refunded + claimable + swept - received
  return { ...line, difference: absolute(unassigned) + absolute(unrecorded) }
}

/**
 * Lists the money of each order by chain and currency. The difference is how far two sums are from zero: what was
 * received minus what became of it, and what the chain holds minus what was received.
 */
export const listLines = ({ orders, payments, refunds, chains }: Books): OrderLine[] => {
  const { lines, add } = openLines(chains)
  for (const payment of payments) add(payment, 'received', payment.units)
  for (const order of orders) {
    const { orderId } = order
    for (const { paid, column, units } of usesOf(order)) add({ ...paid, orderId }, column, units)
  }
  // Nothing is owed for a payment that is not on the chain.
  const lost = new Set(orders.flatMap(listRefundsOfLost))
  const unsent = new Map(refunds.map((refund) => [`${refund.chain} ${payOutKeyOf(refund)}`, refund]))
  const loans = new Map(
    refunds
      .filter(({ source }) => source === 'treasury')
      .map((refund) => [payOutKeyOf(refund), refund.orderId]),
  )
  const orderOfSweep = new Map(
    orders.flatMap((order) => sweepKeys(order).map((key) => [key, order.orderId] as const)),
  )
  for (const { chain, statement } of chains) {
    const credits = new Map(statement.credited.map(({ key, units }) => [key, units]))
    for (const { units, orderId: key, ...place } of statement.held) {
      const lender = loans.get(key ?? '')
      const orderId = lender ?? key
      add({ chain, ...place, orderId }, 'held', units)
      // The treasury has returned it.
      if (lender !== undefined) add({ chain, ...place, orderId }, 'swept', -units)
    }
    for (const { key, currency, units } of statement.paidOut) {
      const refund = unsent.get(`${chain} ${key}`)
      const orderId = refund ? refund.orderId : orderOfSweep.get(key)
      const place = { chain, currency, orderId }
      const credited = credits.get(key) ?? 0n
      if (credited) add(place, 'claimable', credited)
      if (credited && !refund) add(place, 'claimableProceeds', credited)
      add(place, refund ? 'refunded' : 'swept', units - credited)
      if (loans.has(key)) add(place, 'swept', -units)
      unsent.delete(`${chain} ${key}`)
    }
  }
  for (const refund of unsent.values()) if (!lost.has(refund.id)) add(refund, 'owed', refund.units)
  return [...lines.values()].map(withDifference)
}

/**
 * Lists money that arrived outside every way of paying: coins at a deposit address, or at the router without an order's
 * reference, and tokens that the deployment does not accept. It is not a difference, because then every account could
 * make the ledger differ.
 */
export const listUnattributedFunds = (chains: Books['chains']): UnattributedFunds[] =>
  chains.flatMap(({ chain, currencies, statement }) =>
    statement.unattributedFunds.map((stray) => {
      const known = currencies.find(({ currency }) => currency === stray.currency)
      return { ...stray, chain, decimals: known?.decimals ?? 0 }
    }),
  )

/** Adds up the lines of orders by chain and currency. Differences add up by their absolute amounts. */
export const sumLines = (lines: readonly OrderLine[]): LedgerLine[] => {
  const sums = new Map<string, LedgerLine>()
  for (const { orderId: _, ...line } of lines) {
    const key = `${line.chain} ${line.currency}`
    const sum = sums.get(key)
    if (sum) for (const column of ledgerColumns) sum[column] += line[column]
    else sums.set(key, line)
  }
  return [...sums.keys()].sort().flatMap((key) => sums.get(key) ?? [])
}
