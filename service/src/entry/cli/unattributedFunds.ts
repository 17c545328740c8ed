import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { fromBaseUnits } from 'kassa/schema'
import { getLedger } from '#sale/ledger/getLedger.js'
import { sendUnattributed } from '#sale/ledger/sendUnattributed.js'
import { formatJson, formatTable } from './formatTable.js'
import type { Command, Group } from './group.js'
import { requireOption } from './readArguments.js'
import { settingsOf } from './settingsOf.js'
import { withChains } from './withChains.js'
import { withDatabase, withJobs } from './withDatabase.js'

const list: Command = async (args, context) => {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } })
  return withDatabase(context, (db) =>
    withChains(context, db, async (chains) => {
      const { unattributedFunds, sentBack } = await getLedger({ db, chains })
      const funds = unattributedFunds.map(({ orderId, chain, currency, units, decimals }) => {
        return { order: orderId, chain, currency, amount: fromBaseUnits(units, decimals) }
      })
      const sent = sentBack.map(({ units, decimals, ...row }) => {
        return { ...row, amount: fromBaseUnits(units, decimals) }
      })
      if (values.json) {
        context.out(formatJson({ funds, sent }))
        return 0
      }
      const rows = funds.map(({ order, chain, currency, amount }) => {
        return [order ?? 'no order', chain, currency, amount]
      })
      context.out(
        rows.length
          ? formatTable([['order', 'chain', 'currency', 'amount'], ...rows])
          : 'There are no unattributed funds.\n',
      )
      const columns = ['order', 'chain', 'currency', 'amount', 'to', 'status', 'transaction']
      const lines = sent.map(({ orderId, chain, currency, amount, recipient, status, txId, failure }) => {
        return [orderId, chain, currency, amount, recipient, status, txId ?? failure ?? '']
      })
      if (lines.length) context.out(`\nSent back:\n${formatTable([columns, ...lines])}`)
      return 0
    }),
  )
}

const send: Command = async (args, context) => {
  const { values } = parseArgs({
    args,
    options: {
      order: { type: 'string' },
      chain: { type: 'string' },
      currency: { type: 'string' },
      to: { type: 'string' },
    },
  })
  const input = {
    order: requireOption('order', values.order),
    chain: requireOption('chain', values.chain),
    currency: requireOption('currency', values.currency),
    to: requireOption('to', values.to),
  }
  const config = settingsOf(context)
  return withJobs(context, (deps) =>
    withChains(context, deps.db, async (chains) => {
      const { status, units, recipient, txId } = await sendUnattributed(
        { ...deps, chains, config, now: Date.now, randomBytes },
        input,
      )
      const what = `${units} base units of ${input.currency} to ${recipient}`
      context.err(
        status === 'sent' ? `Already sent: ${what}, ${txId}.\n` : `The service will send ${what}.\n`,
      )
      return 0
    }),
  )
}

/** `kassa-service unattributed-funds …`. */
export const unattributedFunds: Group = {
  help: `
  kassa-service unattributed-funds list [--json]
      List money at deposit addresses that pays for no order: coins, and tokens that you do not accept, which are
      shown by address and in base units. A second list shows what you sent back of it.
  kassa-service unattributed-funds send --order <id> --chain <chain> --currency <name or token> --to <address>
      Send all of one currency from the deposit address of an order to an address. A second call sends nothing more.
      Sending a token runs the token's own code at your cost, so check the token first.
`,
  commands: { list, send },
}
