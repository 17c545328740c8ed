import { parseArgs } from 'node:util'
import { listProjects } from '#identity/projects/projects.js'
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
      Create a project, unless it exists, and print its id. E-mails to customers show the display name, or the name
      if there is none. For an existing project, a new display name replaces the old one.

  kassa-service projects list [--json]
      List the projects of this deployment.
`,
  commands: { create, list },
}
