import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { scopes } from '#base/scopes.js'
import { createKey, listKeys, revokeKey } from '#identity/keys/apiKeys.js'
import { formatJson, formatTable, formatWords } from './formatTable.js'
import type { Command, Group } from './group.js'
import { openFirstProject, requireProject } from './openProject.js'
import { readList, requireOne, requireOption } from './readArguments.js'
import { settingsOf } from './settingsOf.js'
import { UsageError } from './UsageError.js'
import { withDatabase, withNewDatabase } from './withDatabase.js'

const readKeyOptions = (args: string[]) => {
  const { values } = parseArgs({
    args,
    options: {
      project: { type: 'string' },
      name: { type: 'string' },
      scopes: { type: 'string' },
      client: { type: 'boolean', default: false },
      origin: { type: 'string', multiple: true, default: [] },
    },
  })
  const project = requireOption('project', values.project)
  if (!values.client && !values.scopes) throw new UsageError('--scopes: required for a server key')
  return {
    project,
    name: values.name,
    kind: values.client ? ('client' as const) : ('server' as const),
    scopes: readList(values.scopes ?? 'orders.create'),
    origins: values.origin,
  }
}

const create: Command = async (args, context) => {
  const { project, ...key } = readKeyOptions(args)
  const { environment } = settingsOf(context)
  const { created, isNew } = await withNewDatabase(context, (db, notices) =>
    db.transaction(async (tx) => {
      const opened = await openFirstProject(tx, { environment, name: project })
      const input = { ...key, environment, projectId: opened.projectId }
      return { created: await createKey({ db: tx, notices, randomBytes }, input), isNew: opened.isNew }
    }),
  )
  if (isNew) context.err(`Created the project ${project}.\n`)
  context.err('This key is shown only once. Store it now.\n')
  context.out(`${created}\n`)
  return 0
}

const list: Command = async (args, context) => {
  const { values } = parseArgs({
    args,
    options: { project: { type: 'string' }, json: { type: 'boolean', default: false } },
  })
  const project = requireOption('project', values.project)
  const keys = await withDatabase(context, async (db) =>
    listKeys(db, { projectId: await requireProject(db, project) }),
  )
  const rows = keys.map((key) => [
    key.id,
    key.kind,
    key.createdAt.toISOString(),
    key.revokedAt?.toISOString() ?? '',
    [...key.scopes, ...key.origins].join(','),
  ])
  const table = [['id', 'kind', 'created', 'revoked', 'scopes and origins'], ...rows]
  context.out(values.json ? formatJson(keys) : formatTable(table))
  return 0
}

const revoke: Command = async (args, context) => {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  const keyId = requireOne(positionals, 'the id of one key')
  await withDatabase(context, (db, notices) => revokeKey({ db, notices, now: Date.now }, { keyId }))
  context.err('Key revoked.\n')
  return 0
}

/** `kassa-service keys …`. */
export const keys: Group = {
  help: `
  kassa-service keys create --project <name> --scopes <scope,…> [--name <name>]
      Create a server key and print it once. Creates the project if it is the first one of the deployment.
      Scopes: ${formatWords(scopes, 14)}

  kassa-service keys create --project <name> --client --origin <origin> [--origin <origin>…] [--name <name>]
      Create a client key, which is safe in a browser and works for pages of these origins only.

  kassa-service keys list --project <name> [--json]
      List the keys of a project with their scopes. The keys themselves are not shown.

  kassa-service keys revoke <id>
      Revoke a key. Every process of the service refuses it within 5 seconds, and as a rule at once.
`,
  commands: { create, list, revoke },
}
