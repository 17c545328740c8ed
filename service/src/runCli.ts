import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { scopes } from './call.js'
import { listContracts } from './chains/evm/listContracts.js'
import { openChain } from './chains/openChain.js'
import { createDefaultCollections } from './collections/createDefaultCollections.js'
import { createLog } from './createLog.js'
import { openDatabase } from './db/openDatabase.js'
import type { OpenDatabase } from './db/openedDatabase.js'
import { createJobs } from './jobs/createJobs.js'
import { createKey } from './keys/createKey.js'
import { formatLedger, formatLedgerJson } from './ledger/formatLedger.js'
import { getLedger } from './ledger/getLedger.js'
import { retryRefund } from './orders/retryRefund.js'
import { parseConfig } from './parseConfig.js'
import { createProject } from './projects/createProject.js'

type Environment = Readonly<Record<string, string | undefined>>

/** Where a command gets its settings and puts its words: results on one side, everything else on the other. */
export type CliContext = { env: Environment; out(text: string): void; err(text: string): void }

const help = `kassa: operate a checkout service

  kassa migrate
      Bring the database up to date.

  kassa keys create --project <name> --scopes <scope,…>
      Make a server key and print it, once. The project is made if there is none of that name.

  kassa keys create --project <name> --client --origin <origin> [--origin <origin>…]
      Make a client key, safe in a browser, for pages of these origins only.

  kassa refunds retry <id>
      Have a refund sent once more that the chain refused again and again. It cannot be paid twice.

  kassa ledger [--project <name>] [--order <id>] [--json]
      Account for all money that reached a deposit address or the payment router: what was received, what became
      of it, and what the chains themselves still hold. Ends with status 1 when anything does not add up. A payment
      that arrives just then does not until the service has seen it: ask again. One that came when nobody looked any
      more is seen once its transaction is reported for the order. Listed apart: what came past every way of paying,
      and payouts that a chain refused.

  kassa contracts
      Print, as JSON to paste into an app, where this deployment takes payments and in which tokens: with it the app
      itself checks where the money goes. It follows from the configuration; no chain is asked.

Scopes: ${scopes.join(', ')}

Settings come from the same environment variables as the service's. The embedded database and a sandbox's local
chains can be opened by one process at a time: stop the service first, or run both on PostgreSQL (DATABASE_URL)
and chains of your own (KASSA_RPC_<CHAIN>).
`

class UsageError extends Error {}

const withDatabase = async (
  env: Environment,
  work: (database: OpenDatabase) => Promise<void>,
): Promise<void> => {
  const database = await openDatabase(parseConfig(env), () => {})
  try {
    await work(database)
  } finally {
    await database.close()
  }
}

const readKeyOptions = (args: string[]) => {
  const { values } = parseArgs({
    args,
    options: {
      project: { type: 'string' },
      scopes: { type: 'string' },
      client: { type: 'boolean', default: false },
      origin: { type: 'string', multiple: true, default: [] },
    },
  })
  if (!values.project) throw new UsageError('--project: required')
  if (!values.client && !values.scopes) throw new UsageError('--scopes: required for a server key')
  return {
    project: values.project,
    kind: values.client ? ('client' as const) : ('server' as const),
    scopes: (values.scopes ?? 'orders.create').split(',').map((scope) => scope.trim()),
    origins: values.origin,
  }
}

const createKeyCommand = async (args: string[], { env, out, err }: CliContext): Promise<void> => {
  const { project, ...key } = readKeyOptions(args)
  const { environment } = parseConfig(env)
  await withDatabase(env, async ({ db }) => {
    const created = await db.transaction(async (tx) => {
      const projectId = await createProject(tx, project)
      await createDefaultCollections(tx, { projectId, environment }, Date.now())
      return createKey({ db: tx, randomBytes }, { ...key, environment, projectId })
    })
    err('This key is shown once: keep it now.\n')
    out(`${created}\n`)
  })
}

const retryRefundCommand = async (args: string[], { env, err }: CliContext): Promise<void> => {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  const [refundId, ...others] = positionals
  if (refundId === undefined || others.length) throw new UsageError('expected the id of one refund')
  const log = createLog(parseConfig(env), { write: err })
  await withDatabase(env, async (database) => {
    const jobs = await createJobs(database, log)
    try {
      await retryRefund({ db: database.db, jobs, now: Date.now }, { refundId })
    } finally {
      await jobs.stop()
    }
  })
  err('The service will try it again.\n')
}

/** Returns the exit status: 1 when the money does not add up. */
const ledgerCommand = async (args: string[], { env, out, err }: CliContext): Promise<number> => {
  const { values } = parseArgs({
    args,
    options: {
      project: { type: 'string' },
      order: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  })
  const config = parseConfig(env)
  let status = 0
  await withDatabase(env, async ({ db }) => {
    const log = createLog(config, { write: err })
    const ports = new Map(
      Object.keys(config.chains).map((name) => [name, openChain(config, db, log, name).port]),
    )
    try {
      const chains = { enabled: [...ports.keys()], get: (name: string) => ports.get(name) }
      const ledger = await getLedger({ db, chains }, { project: values.project, orderId: values.order })
      out(values.json ? formatLedgerJson(ledger) : formatLedger(ledger))
      status = ledger.differing.length ? 1 : 0
    } finally {
      await Promise.allSettled([...ports.values()].map((port) => port.close()))
    }
  })
  return status
}

const contractsCommand = (args: string[], { env, out }: CliContext): void => {
  parseArgs({ args })
  out(`${JSON.stringify(listContracts(parseConfig(env)), undefined, 2)}\n`)
}

const run = async (args: string[], context: CliContext): Promise<number> => {
  const [command, subcommand, ...rest] = args
  if (!command || command === 'help' || args.includes('--help')) {
    context.out(help)
  } else if (command === 'migrate' && subcommand === undefined) {
    await withDatabase(context.env, async () => context.err('The database is up to date.\n'))
  } else if (command === 'keys' && subcommand === 'create') {
    await createKeyCommand(rest, context)
  } else if (command === 'refunds' && subcommand === 'retry') {
    await retryRefundCommand(rest, context)
  } else if (command === 'ledger') {
    return ledgerCommand(args.slice(1), context)
  } else if (command === 'contracts') {
    contractsCommand(args.slice(1), context)
  } else {
    throw new UsageError(`no command is called ${args.join(' ')}`)
  }
  return 0
}

const isUsage = (error: unknown): boolean =>
  error instanceof UsageError ||
  (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))

/**
 * Does what the operator asks for on the command line.
 *
 * @returns The exit status.
 */
export const runCli = async (args: string[], context: CliContext): Promise<number> => {
  try {
    return await run(args, context)
  } catch (error) {
    context.err(`kassa: ${error instanceof Error ? error.message : 'failed'}\n`)
    if (isUsage(error)) context.err(`\n${help}`)
    return 1
  }
}
