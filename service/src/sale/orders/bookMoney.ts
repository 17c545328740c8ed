import { leftOf, type OrderState, type PaymentState, refundedOf } from 'kassa/engine'
import { beforeCommit } from '#base/db/commitTasks.js'
import type { Transaction } from '#base/db/database.js'
import { ledgerEntries } from '#base/db/tables/index.js'
import { createInsert } from '#base/db/writeRows.js'

/** What becomes of received money, as orders record it. The chains' own view has its own columns. */
export const bookColumns = ['received', 'delivered', 'open', 'refunded', 'claimable', 'owed'] as const

/** Money of one project in one currency on one chain. @units base units of `currency` */
export type BookLine = { projectId: string; chain: string; currency: string } & Record<
  (typeof bookColumns)[number],
  bigint
>

/** Lines by project, chain and currency. */
export type BookLines = Map<string, BookLine>

type Place = Pick<BookLine, 'projectId' | 'chain' | 'currency'>

/** Adds an amount to a line, and creates a missing line. */
export const addToLine = (
  lines: BookLines,
  { projectId, chain, currency }: Place,
  column: (typeof bookColumns)[number],
  units: bigint,
): void => {
  const key = JSON.stringify([projectId, chain, currency])
  const nothing = { received: 0n, delivered: 0n, open: 0n, refunded: 0n, claimable: 0n, owed: 0n }
  const line = lines.get(key) ?? { projectId, chain, currency, ...nothing }
  lines.set(key, { ...line, [column]: line[column] + units })
}

const columnOfRefund = {
  pending: 'owed',
  held: 'owed',
  failed: 'owed',
  credited: 'claimable',
  sent: 'refunded',
} as const

type Use = { paid: PaymentState; column: 'delivered' | 'open'; units: string }

/**
 * Reads what the accepted payments of an order bought. What the merchant refunded of a delivered line item is no longer
 * its price. What a payment that is not on the chain would have paid for is left out.
 */
const purchasesOf = (order: OrderState): Use[] => {
  const accepted = order.payments.filter(({ use }) => use === 'accepted')
  const [paid] = accepted.filter(({ isLost }) => !isLost)
  if (!paid) return []
  let missing = accepted.reduce((sum, each) => (each.isLost ? sum + leftOf(order, each) : sum), 0n)
  return order.lineItems.flatMap(({ delivery: { status }, quote }, index): Use[] => {
    if (status === 'failed') return []
    const price = BigInt(quote.charges?.totalUnits ?? 0) - refundedOf(order, index)
    const lost = missing < price ? missing : price
    missing -= lost
    const column = status === 'completed' ? 'delivered' : 'open'
    return [{ paid, column, units: `${price - lost}` }]
  })
}

/** Reads from an order what its accepted payments bought, and which payments are undecided or wait for the rest. */
export const usesOf = (order: OrderState): Use[] => [
  ...order.payments.flatMap((paid): Use[] =>
    !paid.isLost && (paid.use === 'undecided' || paid.use === 'part')
      ? [{ paid, column: 'open', units: paid.units }]
      : [],
  ),
  ...purchasesOf(order),
]

/** Adds all money of an order to lines: what was received, and what became of it. With `-1n`, takes it out again. */
export const bookOrder = (lines: BookLines, order: OrderState, sign: 1n | -1n = 1n): void => {
  const { projectId, payments, refunds } = order
  const add = (paid: Omit<Place, 'projectId'>, column: (typeof bookColumns)[number], units: string): void =>
    addToLine(lines, { ...paid, projectId }, column, sign * BigInt(units))
  for (const paid of payments) {
    if (!paid.isLost) add(paid, 'received', paid.units)
    for (const { paymentId, status, units } of refunds) {
      if (paymentId !== paid.id) continue
      const column = columnOfRefund[status]
      // Nothing is owed for a payment that is not on the chain.
      if (!paid.isLost || column !== 'owed') add(paid, column, units)
    }
  }
  for (const { paid, column, units } of usesOf(order)) add(paid, column, units)
}

const insertEntries = createInsert(ledgerEntries, ['projectId', 'chain', 'currency', ...bookColumns])

const insertLines = async (tx: Transaction, moves: readonly BookLines[]): Promise<void> => {
  const lines: BookLines = new Map()
  for (const line of moves.flatMap((moved) => [...moved.values()])) {
    for (const column of bookColumns) addToLine(lines, line, column, line[column])
  }
  const moved = [...lines.values()].filter((line) => bookColumns.some((column) => line[column] !== 0n))
  await insertEntries(tx, moved)
}

/**
 * Books what a write of an order moves, in the same transaction. The entries are added to the totals later, so that
 * orders do not wait for each other's locks.
 */
export const bookMoves = async (tx: Transaction, before: OrderState, after: OrderState): Promise<void> => {
  const lines: BookLines = new Map()
  bookOrder(lines, before, -1n)
  bookOrder(lines, after)
  await beforeCommit(tx, insertLines, lines)
}
