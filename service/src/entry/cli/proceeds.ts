import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { redirectProceeds } from '#sale/orders/redirectProceeds.js'
import type { Command, Group } from './group.js'
import { requireOne } from './readArguments.js'
import { settingsOf } from './settingsOf.js'
import { UsageError } from './UsageError.js'
import { withJobs } from './withDatabase.js'

const send: Command = async (args, context) => {
  const options = { to: { type: 'string' } } as const
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options })
  const key = requireOne(positionals, 'the id of one sweep')
  const { to } = values
  if (to === undefined) throw new UsageError('--to: required, the address that receives the proceeds')
  const config = settingsOf(context)
  await withJobs(context, (deps) =>
    redirectProceeds({ ...deps, config, randomBytes, now: Date.now }, { key, to }),
  )
  context.err('The service will send the proceeds.\n')
  return 0
}

/** `kassa-service proceeds …`. */
export const proceeds: Group = {
  help: `
  kassa-service proceeds send <id> --to <address>
      Send proceeds to another address if the recipientAddress of a collection could not receive them. Find their
      ids with "kassa-service ledger --chains". They cannot be paid twice.
`,
  commands: { send },
}
