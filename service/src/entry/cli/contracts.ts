import { parseArgs } from 'node:util'
import { listContracts } from '#adapters/chains/evm/payments/listContracts.js'
import { listSolanaRules } from '#adapters/chains/solana/payments/listSolanaRules.js'
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
      const solanaKey = solanaOperatorKeyOf(context)
      const solana = solanaKey && chains.solana && listSolanaRules(chains.solana, solanaKey)
      const listed = listContracts({ chains, currencies, operatorKey: operatorKeyOf(context) })
      context.out(formatJson({ ...listed, ...(solana && { solana }) }))
      return 0
    },
  },
}
