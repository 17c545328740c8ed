import { parseArgs } from 'node:util'
import { openChain } from '../chains/openChain.js'
import { createLog } from '../createLog.js'
import type { Database } from '../db/database.js'
import type { ChainRegistry } from '../deps.js'
import { formatLedger, formatLedgerJson } from '../ledger/formatLedger.js'
import { getLedger } from '../ledger/getLedger.js'
import type { CliContext, Command, Group } from './group.js'
import { configOf } from './settingsOf.js'
import { withDatabase } from './withDatabase.js'

/** A service that runs has the chains open; else they are opened, and closed again. */
const withChains = async (
  context: CliContext,
  db: Database,
  work: (chains: ChainRegistry) => Promise<number>,
): Promise<number> => {
  if (context.service) return work(context.service.chains)
  const config = configOf(context)
  const log = createLog(config, { write: context.err })
  const ports = new Map(
    Object.keys(config.chains).map((name) => [name, openChain(config, db, log, name).port]),
  )
  try {
    return await work({ enabled: [...ports.keys()], get: (name) => ports.get(name) })
  } finally {
    await Promise.allSettled([...ports.values()].map((port) => port.close()))
  }
}

/** Its status is 1 when the money does not add up. */
const account: Command = async (args, context) => {
  const { values } = parseArgs({
    args,
    options: {
      project: { type: 'string' },
      order: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  })
  return withDatabase(context, (db) =>
    withChains(context, db, async (chains) => {
      const ledger = await getLedger({ db, chains }, { project: values.project, orderId: values.order })
      context.out(values.json ? formatLedgerJson(ledger) : formatLedger(ledger))
      return ledger.differing.length ? 1 : 0
    }),
  )
}

/** `kassa-service ledger`. */
export const ledger: Group = {
  help: `
  kassa-service ledger [--project <name>] [--order <id>] [--json]
      Account for all money that reached a deposit address or the payment router: what was received, what became
      of it, and what the chains themselves still hold. Ends with status 1 when anything does not add up. A payment
      that arrives just then does not until the service has seen it: ask again. One that came when nobody looked any
      more is seen once its transaction is reported for the order. Listed apart: what came past every way of paying,
      and payouts that a chain refused.
`,
  commands: { '': account },
}
