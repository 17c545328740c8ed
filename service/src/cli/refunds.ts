import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { retryRefund } from '../orders/retryRefund.js'
import type { Command, Group } from './group.js'
import { requireOne } from './readArguments.js'
import { settingsOf } from './settingsOf.js'
import { withJobs } from './withDatabase.js'

const retry: Command = async (args, context) => {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  const refundId = requireOne(positionals, 'the id of one refund')
  const config = settingsOf(context)
  await withJobs(context, (db, jobs) =>
    retryRefund({ db, jobs, config, randomBytes, now: Date.now }, { refundId }),
  )
  context.err('The service will try it again.\n')
  return 0
}

/** `kassa-service refunds …`. */
export const refunds: Group = {
  help: `
  kassa-service refunds retry <id>
      Have a refund sent once more that the chain refused again and again. It cannot be paid twice.
`,
  commands: { retry },
}
