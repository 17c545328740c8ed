import { parseArgs } from 'node:util'
import { listSuspended, resumeCurrency } from '#goods/collections/suspendedCurrencies.js'
import { formatJson, formatTable } from './formatTable.js'
import type { Command, Group } from './group.js'
import { UsageError } from './UsageError.js'
import { withDatabase } from './withDatabase.js'

const list: Command = async (args, context) => {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } })
  const suspended = await withDatabase(context, listSuspended)
  if (values.json) {
    context.out(formatJson(suspended))
    return 0
  }
  const rows = suspended.map(({ chain, currency, suspendedAt, reason }) => {
    return [chain, currency, suspendedAt.toISOString(), reason]
  })
  const table = formatTable([['chain', 'currency', 'since', 'why'], ...rows])
  context.out(rows.length ? table : 'No currency is suspended.\n')
  return 0
}

const resume: Command = async (args, context) => {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  const [chain, currency, ...others] = positionals
  if (chain === undefined || currency === undefined || others.length) {
    throw new UsageError('expected a chain and one of its currencies')
  }
  const isResumed = await withDatabase(context, (db) => resumeCurrency(db, { chain, currency }))
  if (!isResumed) throw new Error(`${currency} is not suspended on ${chain}`)
  context.err(`${currency} can be used on ${chain} again.\n`)
  return 0
}

/** `kassa-service currencies …`. */
export const currencies: Group = {
  help: `
  kassa-service currencies list [--json]
      List suspended currencies. The service suspends a currency if less arrives than a payment says, as with a token
      that takes a fee on transfer. No new order can be paid in it.
  kassa-service currencies resume <chain> <currency>
      Allow payments in a suspended currency again.
`,
  commands: { list, resume },
}
