import { parseArgs } from 'node:util'
import { listContracts } from '../chains/evm/listContracts.js'
import { parseConfig } from '../parseConfig.js'
import { formatJson } from './formatTable.js'
import type { Group } from './group.js'

/** `kassa contracts`. */
export const contracts: Group = {
  help: `
  kassa contracts
      Print, as JSON to paste into an app, where this deployment takes payments and in which tokens: with it the app
      itself checks where the money goes. It follows from the configuration; no chain is asked.
`,
  commands: {
    '': async (args, { env, out }) => {
      parseArgs({ args })
      out(formatJson(listContracts(parseConfig(env))))
      return 0
    },
  },
}
