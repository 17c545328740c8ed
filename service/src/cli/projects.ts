import { parseArgs } from 'node:util'
import { parseConfig } from '../parseConfig.js'
import { listProjects } from '../projects/listProjects.js'
import { formatJson, formatTable } from './formatTable.js'
import type { Command, Group } from './group.js'
import { openProject } from './openProject.js'
import { requireOne } from './readArguments.js'
import { withDatabase } from './withDatabase.js'

const create: Command = async (args, context) => {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  const name = requireOne(positionals, 'the name of one project')
  const config = parseConfig(context.env)
  context.out(`${await withDatabase(context, ({ db }) => openProject(db, config, name))}\n`)
  return 0
}

const list: Command = async (args, context) => {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } })
  const projects = await withDatabase(context, ({ db }) => listProjects(db))
  const rows = projects.map(({ id, name, createdAt }) => [id, createdAt.toISOString(), name])
  context.out(values.json ? formatJson(projects) : formatTable([['id', 'created', 'name'], ...rows]))
  return 0
}

/** `kassa projects …`. */
export const projects: Group = {
  help: `
  kassa projects create <name>
      Make a project, if there is none of that name, and print its id.

  kassa projects list [--json]
      List the projects of this deployment.
`,
  commands: { create, list },
}
