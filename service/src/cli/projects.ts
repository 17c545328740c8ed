import { parseArgs } from 'node:util'
import { listProjects } from '../projects/listProjects.js'
import { formatJson, formatTable } from './formatTable.js'
import type { Command, Group } from './group.js'
import { openProject } from './openProject.js'
import { requireOne } from './readArguments.js'
import { settingsOf } from './settingsOf.js'
import { withDatabase, withNewDatabase } from './withDatabase.js'

const create: Command = async (args, context) => {
  const { values, positionals } = parseArgs({
    args,
    options: { 'display-name': { type: 'string' } },
    allowPositionals: true,
  })
  const name = requireOne(positionals, 'the name of one project')
  const { environment } = settingsOf(context)
  const input = { environment, name, displayName: values['display-name'] }
  const { projectId } = await withNewDatabase(context, (db) => openProject(db, input))
  context.out(`${projectId}\n`)
  return 0
}

const list: Command = async (args, context) => {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } })
  const projects = await withDatabase(context, listProjects)
  const rows = projects.map((project) => [
    project.id,
    project.createdAt.toISOString(),
    project.name,
    project.displayName ?? '',
  ])
  const table = [['id', 'created', 'name', 'display name'], ...rows]
  context.out(values.json ? formatJson(projects) : formatTable(table))
  return 0
}

/** `kassa-service projects …`. */
export const projects: Group = {
  help: `
  kassa-service projects create <name> [--display-name <text>]
      Make a project, if there is none of that name, and print its id. The display name is what its customers know
      it as, in e-mails to them; without one that is its name. Given for a project there is, it replaces the last.

  kassa-service projects list [--json]
      List the projects of this deployment.
`,
  commands: { create, list },
}
