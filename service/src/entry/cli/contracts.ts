import { parseArgs } from 'node:util'
import { listPayRules } from '../listPayRules.js'
import { formatJson } from './formatTable.js'
import type { Group } from './group.js'
import { operatorKeyOf, settingsOf, solanaOperatorKeyOf } from './settingsOf.js'

/** `kassa-service contracts`. */
export const contracts: Group = {
  help: `
  kassa-service contracts
      Print where this deployment takes payments, and in which tokens, as JSON to paste into an app. With it, the app
      checks where the money goes. The command reads the configuration of the service that runs on the data folder,
      or else of the environment. It sends no request to a chain.
`,
  commands: {
    '': async (args, context) => {
      parseArgs({ args })
      const { chains, currencies } = settingsOf(context)
      const rules = { chains, currencies, operatorKey: operatorKeyOf(context) }
      context.out(formatJson(listPayRules({ ...rules, solanaOperatorKey: solanaOperatorKeyOf(context) })))
      return 0
    },
  },
}
