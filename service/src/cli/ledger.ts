import { parseArgs } from 'node:util'
import { openChain } from '../chains/openChain.js'
import { createLog } from '../createLog.js'
import { formatLedger, formatLedgerJson } from '../ledger/formatLedger.js'
import { getLedger } from '../ledger/getLedger.js'
import { parseConfig } from '../parseConfig.js'
import type { Command, Group } from './group.js'
import { withDatabase } from './withDatabase.js'

/** Its status is 1 when the money does not add up. */
const account: Command = async (args, { env, out, err }) => {
  const { values } = parseArgs({
    args,
    options: {
      project: { type: 'string' },
      order: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  })
  const config = parseConfig(env)
  return withDatabase({ env }, async ({ db }) => {
    const log = createLog(config, { write: err })
    const ports = new Map(
      Object.keys(config.chains).map((name) => [name, openChain(config, db, log, name).port]),
    )
    try {
      const chains = { enabled: [...ports.keys()], get: (name: string) => ports.get(name) }
      const ledger = await getLedger({ db, chains }, { project: values.project, orderId: values.order })
      out(values.json ? formatLedgerJson(ledger) : formatLedger(ledger))
      return ledger.differing.length ? 1 : 0
    } finally {
      await Promise.allSettled([...ports.values()].map((port) => port.close()))
    }
  })
}

/** `kassa ledger`. */
export const ledger: Group = {
  help: `
  kassa ledger [--project <name>] [--order <id>] [--json]
      Account for all money that reached a deposit address or the payment router: what was received, what became
      of it, and what the chains themselves still hold. Ends with status 1 when anything does not add up. A payment
      that arrives just then does not until the service has seen it: ask again. One that came when nobody looked any
      more is seen once its transaction is reported for the order. Listed apart: what came past every way of paying,
      and payouts that a chain refused.
`,
  commands: { '': account },
}
