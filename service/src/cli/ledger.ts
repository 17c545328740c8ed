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
      of it, and what the chains still hold. Ends with status 1 if the sums differ. They differ while a payment has
      arrived that the service has not seen yet, so run it again. If the service no longer looks for payments of the
      order, report the transaction for the order.
      Separate lists show unattributed funds, what you sent back of them, payouts that are held or that a chain
      refused, and final payments that a deep reorganisation took back.
`,
  commands: { '': account },
}
