import { parseArgs } from 'node:util'
import { explainDisabled } from 'kassa/engine'
import { fromBaseUnits } from 'kassa/schema'
import type { ChainRegistry } from '#base/deps.js'
import { adoptMissing, findMissing, isMissing, type Missing } from '#sale/restore/restore.js'
import { formatTable } from './formatTable.js'
import type { CliContext, Command, Group } from './group.js'
import { UsageError } from './UsageError.js'
import { withChains } from './withChains.js'
import { withJobs } from './withDatabase.js'

const columns = ['what', 'amount', 'to or from', 'order', 'transaction']

/** Lists what a chain has that the database lacks, a line each. */
const listLines = (chains: ChainRegistry, { chain, orderIds, ...missing }: Missing): string[][] => {
  const amount = (units: bigint, currency: string): string => {
    const known = chains.get(chain)?.currencies.find((one) => one.currency === currency)
    return `${known ? fromBaseUnits(units, known.decimals) : units} ${currency}`
  }
  const orderOf = (reference: string): string => orderIds.get(reference) ?? 'unknown'
  const writes = missing.writes.map((write) => {
    if (write.kind === 'mint') {
      const { contractAddress, tokenId, recipient, txId } = write
      return ['mint', `#${tokenId} of ${contractAddress}`, recipient, '', txId]
    }
    const { units, currency, recipient, orderReference, txId } = write
    return ['payout', amount(units, currency), recipient, orderOf(orderReference), txId]
  })
  const others = missing.others.map((txId) => ['other write', '', '', '', txId])
  const payments = missing.unknownPayments.map(({ units, currency, payer, orderReference, txId }) => {
    return ['payment', amount(units, currency), payer, orderOf(orderReference), txId]
  })
  return [...writes, ...others, ...payments]
}

const explain = (missing: Missing): string => {
  const { chain, writes, others, unknownPayments } = missing
  const count = writes.length + others.length
  const paid = unknownPayments.length
    ? ` It lacks the orders of ${unknownPayments.length} payments: their buyers have paid, so deliver to them or pay them back.`
    : ''
  return isMissing(missing)
    ? `${chain}: the operator's key has made ${count} writes that this database does not know.${paid}\n`
    : `${chain}: the database knows all that the operator's key has written.${paid}\n`
}

const withMissing = (
  args: string[],
  context: CliContext,
  work: (missing: readonly Missing[], deps: Parameters<typeof adoptMissing>[0]) => Promise<number>,
): Promise<number> => {
  const { values } = parseArgs({ args, options: { chain: { type: 'string' } } })
  return withJobs(context, ({ db, jobs }) =>
    withChains(context, db, async (chains) => {
      const { chain } = values
      if (chain !== undefined && !chains.enabled.includes(chain)) {
        throw new UsageError(`--chain: ${explainDisabled(chain, chains.enabled)}`)
      }
      const missing = await findMissing({ db, chains }, chain === undefined ? chains.enabled : [chain])
      for (const one of missing) {
        context.out(explain(one))
        const lines = listLines(chains, one)
        if (lines.length) context.out(formatTable([columns, ...lines]))
      }
      return work(missing, { db, jobs, chains })
    }),
  )
}

/** Ends with status 1 if there is something to adopt. */
const check: Command = (args, context) =>
  withMissing(args, context, async (missing) => {
    if (!missing.some(isMissing)) return 0
    context.err('Take them into the database with: kassa-service restore adopt\n')
    return 1
  })

const adopt: Command = (args, context) =>
  withMissing(args, context, async (missing, deps) => {
    for (const one of missing) await adoptMissing(deps, one)
    context.err('The database knows them now. The service serves these chains again within a minute.\n')
    return 0
  })

/** `kassa-service restore …`. */
export const restore: Group = {
  help: `
  kassa-service restore check [--chain <name>]
      After the database was restored from a backup: list what the operator's key has written to the chains since then,
      and payments of orders that the database does not have. Changes nothing. Ends with status 1 if there are writes to
      adopt: the service does not serve such a chain.
  kassa-service restore adopt [--chain <name>]
      List the same, and take the writes into the database: no payout is made again, no token id is given out twice, and
      each paid order gets the token that was minted for it. Then the chain is served again.
`,
  commands: { check, adopt },
}
