#!/usr/bin/env node
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { scopes } from './call.js'
import { createDefaultCollections } from './collections/createDefaultCollections.js'
import { type OpenDatabase, openDatabase } from './db/openDatabase.js'
import { createKey } from './keys/createKey.js'
import { parseConfig } from './parseConfig.js'
import { createProject } from './projects/createProject.js'

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

const withDatabase = async (work: (database: OpenDatabase) => Promise<void>): Promise<void> => {
  const database = await openDatabase(parseConfig(process.env), () => {})
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

const createKeyCommand = async (args: string[]): Promise<void> => {
  const { project, ...key } = readKeyOptions(args)
  const { environment } = parseConfig(process.env)
  await withDatabase(async ({ db }) => {
    const created = await db.transaction(async (tx) => {
      const projectId = await createProject(tx, project)
      await createDefaultCollections(tx, { projectId, environment }, Date.now())
      return createKey({ db: tx, randomBytes }, { ...key, environment, projectId })
    })
    process.stderr.write('This key is shown once: keep it now.\n')
    process.stdout.write(`${created}\n`)
  })
}

const run = async (args: string[]): Promise<void> => {
  const [command, subcommand, ...rest] = args
  if (!command || command === 'help' || args.includes('--help')) {
    process.stdout.write(help)
  } else if (command === 'migrate' && subcommand === undefined) {
    await withDatabase(async () => {
      process.stderr.write('The database is up to date.\n')
    })
  } else if (command === 'keys' && subcommand === 'create') {
    await createKeyCommand(rest)
  } else {
    throw new UsageError(`no command is called ${args.join(' ')}`)
  }
}

run(process.argv.slice(2)).catch((error: unknown) => {
  const message = error instanceof Error ? error.message : 'failed'
  process.stderr.write(`kassa: ${message}\n${error instanceof UsageError ? `\n${help}` : ''}`)
  process.exitCode = 1
})
