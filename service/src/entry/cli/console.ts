import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { roles } from '#base/scopes.js'
import { invite as inviteAccount, listAccounts, removeAccount } from '#identity/console/accounts.js'
import { formatJson, formatTable } from './formatTable.js'
import type { Command, Group } from './group.js'
import { requireProject } from './openProject.js'
import { requireOne, requireOption } from './readArguments.js'
import { settingsOf } from './settingsOf.js'
import { withDatabase } from './withDatabase.js'

const project = { type: 'string' } as const

const invite: Command = async (args, context) => {
  const { values } = parseArgs({
    args,
    options: { project, role: { type: 'string', default: 'owner' }, email: { type: 'string' } },
  })
  const name = requireOption('project', values.project)
  const config = settingsOf(context)
  const link = await withDatabase(context, async (db) => {
    const projectId = await requireProject(db, name)
    const input = { projectId, role: values.role, email: values.email }
    return inviteAccount({ db, config, randomBytes, now: Date.now }, input)
  })
  context.err('This link creates one account. It works once, within a day. Share it only with that person.\n')
  context.out(`${link}\n`)
  return 0
}

const accounts: Command = async (args, context) => {
  const { values } = parseArgs({ args, options: { project, json: { type: 'boolean', default: false } } })
  const name = requireOption('project', values.project)
  const found = await withDatabase(context, async (db) => listAccounts(db, await requireProject(db, name)))
  const rows = found.map(({ id, role, createdAt, email }) => [id, role, createdAt.toISOString(), email ?? ''])
  context.out(values.json ? formatJson(found) : formatTable([['id', 'role', 'created', 'e-mail'], ...rows]))
  return 0
}

const remove: Command = async (args, context) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { project, 'keep-keys': { type: 'boolean', default: false } },
  })
  const name = requireOption('project', values.project)
  const accountId = requireOne(positionals, 'the id of one account')
  const config = settingsOf(context)
  const keys = await withDatabase(context, async (db, notices) => {
    const projectId = await requireProject(db, name)
    const input = { projectId, accountId, keepsKeys: values['keep-keys'] }
    return removeAccount({ db, notices, config, randomBytes, now: Date.now }, input)
  })
  context.err('Account removed and its sessions ended.\n')
  for (const key of keys) context.err(`Revoked its key ${key.id}${key.name ? ` (${key.name})` : ''}.\n`)
  return 0
}

/** `kassa-service console …`. */
export const consoleAccounts: Group = {
  help: `
  kassa-service console invite --project <name> [--role <role>] [--email <address>]
      Print a link that creates an account of the project's console. It works once, within a day. With an e-mail
      address, the account can also sign in by e-mail, and an existing account gets the role.
      Roles: ${roles.join(', ')}. The default is owner.

  kassa-service console accounts --project <name> [--json]
      List the accounts of a project.

  kassa-service console remove <id> --project <name> [--keep-keys]
      Remove an account with its passkeys and open invitations, end its sessions at once, and revoke the server keys
      that it made, unless they are kept.
`,
  commands: { invite, accounts, remove },
}
