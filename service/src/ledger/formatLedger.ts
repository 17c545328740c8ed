import { fromBaseUnits } from 'kassa/schema'
import type { Ledger } from './getLedger.js'
import { type LedgerLine, ledgerColumns, type OrderLine } from './sumLedger.js'

/** A decimal string, also of what is less than nothing. */
const toDecimal = (units: bigint, decimals: number): string =>
  units < 0n ? `-${fromBaseUnits(-units, decimals)}` : fromBaseUnits(units, decimals)

const amountsOf = (line: LedgerLine): string[] =>
  ledgerColumns.map((column) => toDecimal(line[column], line.decimals))

const formatTable = (rows: readonly (readonly string[])[]): string => {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? []
  return rows
    .map((row) =>
      row
        .map((cell, at) => (at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const nameOf = ({ orderId }: OrderLine): string => orderId ?? 'no order'

/** Writes a ledger as a table for people: exact amounts in whole coins, then the orders that do not add up. */
export const formatLedger = ({ totals, differing }: Ledger): string => {
  if (!totals.length) return 'Nothing was received yet.\n'
  const sums = totals.map((line) => [line.chain, line.currency, ...amountsOf(line)])
  const table = `${formatTable([['chain', 'currency', ...ledgerColumns], ...sums])}\n`
  if (!differing.length) return table
  const lines = differing.map((line) => [nameOf(line), `${line.chain} ${line.currency}`, ...amountsOf(line)])
  return `${table}\nDoes not add up for:\n${formatTable([['order', '', ...ledgerColumns], ...lines])}\n`
}

/** Writes a ledger as JSON for programs: amounts are exact decimal strings. */
export const formatLedgerJson = ({ totals, differing }: Ledger): string => {
  const toJson = (line: OrderLine) => {
    const { chain, currency, orderId } = line
    const amounts = amountsOf(line)
    return {
      ...(orderId !== undefined && { orderId }),
      chain,
      currency,
      ...Object.fromEntries(ledgerColumns.map((column, at) => [column, amounts[at]])),
    }
  }
  const json = { isBalanced: !differing.length, totals: totals.map(toJson), differing: differing.map(toJson) }
  return `${JSON.stringify(json, undefined, 2)}\n`
}
