import { fromBaseUnits } from 'kassa/schema'
import { bookColumns } from '../orders/bookMoney.js'
import type { Ledger } from './getLedger.js'
import { type LedgerLine, ledgerColumns, type OrderLine } from './sumLedger.js'

/** Formats base units as a decimal string, also negative ones. */
const toDecimal = (units: bigint, decimals: number): string =>
  units < 0n ? `-${fromBaseUnits(-units, decimals)}` : fromBaseUnits(units, decimals)

const amountsOf = (line: LedgerLine): string[] =>
  ledgerColumns.map((column) => toDecimal(line[column], line.decimals))

const formatTable = (
  rows: readonly (readonly string[])[],
  isAmount = (column: number): boolean => column >= 2,
): string => {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? []
  return rows
    .map((row) =>
      row
        .map((cell, at) => (isAmount(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const nameOf = ({ orderId }: { orderId?: string }): string => orderId ?? 'no order'

const placeOf = ({ chain, currency }: { chain: string; currency: string }): string => `${chain} ${currency}`

const formatTotals = (totals: Ledger['totals']): string => {
  if (!totals.length) return 'No payments received yet.'
  const sums = totals.map((line) => [line.chain, line.currency, ...amountsOf(line)])
  return formatTable([['chain', 'currency', ...ledgerColumns], ...sums])
}

const formatDiffering = (differing: Ledger['differing']): string => {
  const lines = differing.map((line) => [nameOf(line), placeOf(line), ...amountsOf(line)])
  return `The sums differ for:\n${formatTable([['order', '', ...ledgerColumns], ...lines])}`
}

const formatStrays = (unattributedFunds: Ledger['unattributedFunds']): string => {
  const lines = unattributedFunds.map((stray) => [
    nameOf(stray),
    placeOf(stray),
    toDecimal(stray.units, stray.decimals),
  ])
  return `Unattributed funds, still at their deposit addresses:\n${formatTable(lines)}`
}

const formatSentBack = (sentBack: Ledger['sentBack']): string => {
  const lines = sentBack.map(({ units, decimals, recipient, status, txId, failure, ...place }) => {
    return [
      place.orderId,
      placeOf(place),
      toDecimal(units, decimals),
      recipient,
      status,
      txId ?? failure ?? '',
    ]
  })
  return `Sent back from unattributed funds:\n${formatTable(lines, (column) => column === 2)}`
}

const formatRefused = (refused: Ledger['refused']): string => {
  const lines = refused.map(({ reason, isRetried, ...one }) => {
    const next = isRetried ? 'is checked again:' : 'waits for you:'
    return [one.id, placeOf(one), toDecimal(one.units, one.decimals), next, reason]
  })
  return `Not paid out yet:\n${formatTable(lines, (column) => column === 2)}`
}

const formatLost = (lost: Ledger['lost']): string => {
  const lines = lost.map(({ units, decimals, payer, txId, ...place }) => {
    return [place.orderId, placeOf(place), toDecimal(units, decimals), payer, txId]
  })
  return `Taken back by a deep reorganisation:\n${formatTable(lines, (column) => column === 2)}`
}

/** Formats the books for people: a table of exact amounts in whole coins, then all that needs attention. */
export const formatLedger = ({
  totals,
  differing,
  unattributedFunds,
  sentBack,
  refused,
  lost,
}: Ledger): string => {
  const parts = [
    formatTotals(totals),
    ...(differing.length ? [formatDiffering(differing)] : []),
    ...(unattributedFunds.length ? [formatStrays(unattributedFunds)] : []),
    ...(sentBack.length ? [formatSentBack(sentBack)] : []),
    ...(refused.length ? [formatRefused(refused)] : []),
    ...(lost.length ? [formatLost(lost)] : []),
  ]
  return `${parts.join('\n\n')}\n`
}

/** Formats the books as JSON for programs. Amounts are exact decimal strings. */
export const formatLedgerJson = ({
  totals,
  differing,
  unattributedFunds,
  sentBack,
  refused,
  lost,
}: Ledger): string => {
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
  const toPlain = <Item extends { units: bigint; decimals: number }>({ units, decimals, ...rest }: Item) => {
    return { ...rest, amount: toDecimal(units, decimals) }
  }
  const json = {
    isBalanced: !differing.length,
    totals: totals.map(toJson),
    differing: differing.map(toJson),
    unattributedFunds: unattributedFunds.map(toPlain),
    sentBack: sentBack.map(toPlain),
    refused: refused.map(toPlain),
    lost: lost.map(toPlain),
  }
  return `${JSON.stringify(json, undefined, 2)}\n`
}

const totalColumns = [...bookColumns, 'difference'] as const

/** A line of the running totals of all projects, or of one. @units base units of `currency` */
export type TotalLine = { chain: string; currency: string; decimals: number } & Record<
  (typeof totalColumns)[number],
  bigint
>

/** Formats the running totals for people. */
export const formatTotalLines = (lines: readonly TotalLine[]): string => {
  if (!lines.length) return 'No payments received yet.\n'
  const rows = lines.map((line) => [
    line.chain,
    line.currency,
    ...totalColumns.map((column) => toDecimal(line[column], line.decimals)),
  ])
  return `${formatTable([['chain', 'currency', ...totalColumns], ...rows])}\n`
}

/** Formats the running totals as JSON for programs. Amounts are exact decimal strings. */
export const formatTotalsJson = (lines: readonly TotalLine[]): string => {
  const totals = lines.map(({ decimals, ...line }) => ({
    ...line,
    ...Object.fromEntries(totalColumns.map((column) => [column, toDecimal(line[column], decimals)])),
  }))
  const isBalanced = lines.every(({ difference }) => difference === 0n)
  return `${JSON.stringify({ isBalanced, totals }, undefined, 2)}\n`
}

/** Formats the running totals that a full count did not confirm. */
export const formatDifferingTotals = (
  differing: readonly {
    chain: string
    currency: string
    decimals: number
    column: string
    total: bigint
    counted: bigint
  }[],
): string => {
  const rows = differing.map(({ chain, currency, decimals, column, total, counted }) => {
    return [chain, currency, column, toDecimal(total, decimals), toDecimal(counted, decimals)]
  })
  const head = ['chain', 'currency', 'column', 'total', 'counted']
  return `The totals were wrong and have been corrected:\n${formatTable([head, ...rows], (column) => column >= 3)}\n`
}
