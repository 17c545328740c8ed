import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { listHeldRefunds } from '#sale/orders/listHeldRefunds.js'
import { resendRefund } from '#sale/orders/resendRefund.js'
import { formatJson, formatTable } from './formatTable.js'
import type { Command, Group } from './group.js'
import { requireOne } from './readArguments.js'
import { settingsOf } from './settingsOf.js'
import { withDatabase, withJobs } from './withDatabase.js'

const list: Command = async (args, context) => {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } })
  const held = await withDatabase(context, (db) => listHeldRefunds(db))
  if (values.json) {
    context.out(formatJson(held))
    return 0
  }
  const columns = ['id', 'status', 'chain', 'currency', 'units', 'payer', 'since', 'reason', 'why']
  const rows = held.map(({ id, status, chain, currency, units, payer, since, reason, why }) => {
    return [id, status, chain, currency, units, payer, since, reason, why]
  })
  context.out(rows.length ? formatTable([columns, ...rows]) : 'No refunds are waiting.\n')
  return 0
}

const send: Command = async (args, context) => {
  const options = { to: { type: 'string' } } as const
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options })
  const refundId = requireOne(positionals, 'the id of one refund')
  const config = settingsOf(context)
  await withJobs(context, (deps) =>
    resendRefund({ ...deps, config, randomBytes, now: Date.now }, { refundId, to: values.to }),
  )
  context.err('The service will send the refund.\n')
  return 0
}

/** `kassa-service refunds …`. */
export const refunds: Group = {
  help: `
  kassa-service refunds list [--json]
      List the refunds that wait: held (worth less than the fee, over a cap, or paid by a contract that the order does
      not name), failed (the chain refused every attempt) or credited (the payer could not receive them). Units are base
      units. The reason is below-fee, cap, contract-payer or refused.
  kassa-service refunds send <id> [--to <address>]
      Send a refund now, regardless of its fee and the caps. It cannot be paid twice. With --to, a refund that a
      contract paid for, or that failed or is credited, goes to another address. Use only an address that the payer has proven to own, such as by a
      message signed with the key of the account that paid.
`,
  // The earlier name of the command.
  commands: { list, send, retry: send },
}
