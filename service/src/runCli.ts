import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { scopes } from './call.js'
import { createDefaultCollections } from './collections/createDefaultCollections.js'
import { type OpenDatabase, openDatabase } from './db/openDatabase.js'
import { createKey } from './keys/createKey.js'
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

Scopes: ${scopes.join(', ')}

Settings come from the same environment variables as the service's. The embedded database can be opened by one
process at a time: stop the service first, or run both on PostgreSQL (DATABASE_URL).
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

const run = async (args: string[], context: CliContext): Promise<void> => {
  const [command, subcommand, ...rest] = args
  if (!command || command === 'help' || args.includes('--help')) {
    context.out(help)
  } else if (command === 'migrate' && subcommand === undefined) {
    await withDatabase(context.env, async () => context.err('The database is up to date.\n'))
  } else if (command === 'keys' && subcommand === 'create') {
    await createKeyCommand(rest, context)
  } else {
    throw new UsageError(`no command is called ${args.join(' ')}`)
  }
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
    await run(args, context)
    return 0
  } catch (error) {
    context.err(`kassa: ${error instanceof Error ? error.message : 'failed'}\n`)
    if (isUsage(error)) context.err(`\n${help}`)
    return 1
  }
}
