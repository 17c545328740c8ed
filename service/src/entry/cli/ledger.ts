import { parseArgs } from 'node:util'
import type { Database } from '#base/db/database.js'
import type { ChainRegistry } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { findProject } from '#identity/projects/projects.js'
import {
  formatDifferingTotals,
  formatLedger,
  formatLedgerJson,
  formatTotalLines,
  formatTotalsJson,
  type TotalLine,
} from '#sale/ledger/formatLedger.js'
import { getLedger } from '#sale/ledger/getLedger.js'
import { readTotals, recountTotals } from '#sale/ledger/totals.js'
import type { BookLine } from '#sale/orders/bookMoney.js'
import type { CliContext, Command, Group } from './group.js'
import { UsageError } from './UsageError.js'
import { withChains } from './withChains.js'
import { withDatabase } from './withDatabase.js'

type Place = { chain: string; currency: string }

const decimalsOf = (chains: ChainRegistry, { chain, currency }: Place): number => {
  const port = chains.get(chain)
  if (!port)
    throw new ServiceError('input-invalid', `${chain} holds money but is not enabled: enable it again`)
  return port.currencies.find((known) => known.currency === currency)?.decimals ?? 0
}

/** Adds up the lines of projects by chain and currency. */
const sumProjects = (chains: ChainRegistry, lines: readonly BookLine[]): TotalLine[] => {
  const sums = new Map<string, TotalLine>()
  for (const { chain, currency, received, delivered, open, refunded, claimable, owed } of lines) {
    const key = `${chain} ${currency}`
    const known = sums.get(key)
    sums.set(key, {
      chain,
      currency,
      decimals: decimalsOf(chains, { chain, currency }),
      received: (known?.received ?? 0n) + received,
      delivered: (known?.delivered ?? 0n) + delivered,
      open: (known?.open ?? 0n) + open,
      refunded: (known?.refunded ?? 0n) + refunded,
      claimable: (known?.claimable ?? 0n) + claimable,
      owed: (known?.owed ?? 0n) + owed,
      difference: (known?.difference ?? 0n) + received - delivered - open - refunded - claimable - owed,
    })
  }
  return [...sums.keys()].sort().flatMap((key) => sums.get(key) ?? [])
}

type Asked = { project: string | undefined; isJson: boolean; isRecounting: boolean }

/** Prints the running totals, after a full count if it is requested. */
const printTotals = async (
  { out, err }: CliContext,
  { db, chains }: { db: Database; chains: ChainRegistry },
  { project, isJson, isRecounting }: Asked,
): Promise<number> => {
  const projectId = project === undefined ? undefined : await findProject(db, project)
  if (project !== undefined && projectId === undefined) {
    throw new ServiceError('not-found', `there is no project ${project}`)
  }
  const isFirst = (await readTotals(db)).countedAt === undefined
  const corrected = isRecounting ? await recountTotals(db, Date.now()) : []
  const { lines, countedAt } = await readTotals(db, projectId)
  const totals = sumProjects(chains, lines)
  out(isJson ? formatTotalsJson(totals) : formatTotalLines(totals))
  if (countedAt === undefined)
    err('The orders of an earlier version are not counted yet. Run the command again with --recount.\n')
  // The first count brings the totals into being.
  const wrong = isFirst ? [] : corrected
  const differing = wrong.map(({ line, ...rest }) => ({
    ...line,
    ...rest,
    decimals: decimalsOf(chains, line),
  }))
  if (differing.length) err(formatDifferingTotals(differing))
  return differing.length || totals.some(({ difference }) => difference !== 0n) ? 1 : 0
}

/** Exits with status 1 if the money does not add up. */
const account: Command = async (args, context) => {
  const { values } = parseArgs({
    args,
    options: {
      project: { type: 'string' },
      order: { type: 'string' },
      chains: { type: 'boolean', default: false },
      recount: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
  const { project, order: orderId, json: isJson, recount: isRecounting } = values
  const isAsking = values.chains || orderId !== undefined
  if (isAsking && isRecounting) throw new UsageError('--recount: cannot be used with --chains or --order')
  return withDatabase(context, (db) =>
    withChains(context, db, async (chains) => {
      if (!isAsking) return printTotals(context, { db, chains }, { project, isJson, isRecounting })
      const ledger = await getLedger({ db, chains }, { project, orderId })
      context.out(isJson ? formatLedgerJson(ledger) : formatLedger(ledger))
      return ledger.differing.length ? 1 : 0
    }),
  )
}

/** `kassa-service ledger`. */
export const ledger: Group = {
  help: `
  kassa-service ledger [--project <name>] [--recount] [--json]
      Account for all money that the service has recorded: what was received, and what became of it. Ends with
      status 1 if the sums differ. It reads totals that are kept with every order; --recount counts all orders
      again, corrects the totals, and ends with status 1 if they were wrong.

  kassa-service ledger --chains [--project <name>] [--order <id>] [--json]
      Compare the records of every order with what the chains hold and have paid out. It takes time in proportion
      to the number of orders; --order alone compares those of one. Ends with status 1 if the sums differ. They
      differ while a payment has arrived that the service has not seen yet, so run it again. If the service no
      longer looks for payments of the order, report the transaction for the order.
      Separate lists show unattributed funds, what you sent back of them, payouts that are held or that a chain
      refused, and final payments that a deep reorganisation took back.
`,
  commands: { '': account },
}
