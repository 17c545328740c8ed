import { parseArgs } from 'node:util'
import { formatLedger, formatLedgerJson } from '../ledger/formatLedger.js'
import { getLedger } from '../ledger/getLedger.js'
import type { Command, Group } from './group.js'
import { withChains } from './withChains.js'
import { withDatabase } from './withDatabase.js'

/** Exits with status 1 if the money does not add up. */
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
      that arrives just then does not until the service has seen it: ask again. One that came after the
      service stopped looking is seen once its transaction is reported for the order. Listed apart: what came past every way of paying,
      what you had sent back of that, payouts that are held or that a chain refused, and final payments that a deep
      reorganisation took back.
`,
  commands: { '': account },
}
