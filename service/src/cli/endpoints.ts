import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { parseConfig } from '../parseConfig.js'
import { createEndpoint } from '../webhooks/createEndpoint.js'
import { getEndpoint, listEndpoints } from '../webhooks/listEndpoints.js'
import { readEventTypes } from '../webhooks/readEventTypes.js'
import { removeEndpoint } from '../webhooks/removeEndpoint.js'
import { rotateSecret } from '../webhooks/rotateSecret.js'
import { formatJson, formatTable } from './formatTable.js'
import type { CliContext, Command } from './group.js'
import { readProject, requireProject } from './openProject.js'
import { readCount, readList, requireOne, requireOption } from './readArguments.js'
import { readEndpointUrl } from './readEndpointUrl.js'
import { withDatabase } from './withDatabase.js'

const hourMs = 60 * 60_000
const mostHours = 30 * 24
const anEndpoint = 'the id of one webhook endpoint'
const everyType = readEventTypes(['all'])
const json = { type: 'boolean', default: false } as const

const depsOf = ({ env }: CliContext) => ({ config: parseConfig(env), now: Date.now, randomBytes })

/** `kassa webhooks create`. */
export const create: Command = async (args, context) => {
  const { values } = parseArgs({
    args,
    options: { project: { type: 'string' }, url: { type: 'string' }, types: { type: 'string' }, json },
  })
  const project = requireOption('project', values.project)
  const deps = depsOf(context)
  const url = await readEndpointUrl(deps.config, requireOption('url', values.url))
  const eventTypes = readEventTypes(readList(requireOption('types', values.types)))
  const { id, secret } = await withDatabase(context, async ({ db }) => {
    const projectId = await requireProject(db, project)
    return createEndpoint({ ...deps, db }, { projectId, url, eventTypes })
  })
  context.out(values.json ? formatJson({ id, secret }) : `id      ${id}\nsecret  ${secret}\n`)
  return 0
}

/** `kassa webhooks list`. */
export const list: Command = async (args, context) => {
  const { values } = parseArgs({ args, options: { project: { type: 'string' }, json } })
  const endpoints = await withDatabase(context, async ({ db }) =>
    listEndpoints({ db }, { projectId: await readProject(db, values.project) }),
  )
  const rows = endpoints.map(({ id, project, eventTypes, url }) => {
    const types = eventTypes.length === everyType.length ? 'all' : eventTypes.join(',')
    return [id, project, url, types]
  })
  const table = [['id', 'project', 'url', 'types'], ...rows]
  context.out(values.json ? formatJson(endpoints) : formatTable(table))
  return 0
}

/** `kassa webhooks show`. */
export const show: Command = async (args, context) => {
  const { values, positionals } = parseArgs({ args, options: { json }, allowPositionals: true })
  const endpointId = requireOne(positionals, anEndpoint)
  const endpoint = await withDatabase(context, ({ db }) =>
    getEndpoint({ ...depsOf(context), db }, { endpointId }),
  )
  const rows = [
    ['id', endpoint.id],
    ['project', endpoint.project],
    ['url', endpoint.url],
    ['created', endpoint.createdAt.toISOString()],
    ...endpoint.eventTypes.map((type, at) => [at ? '' : 'types', type]),
    ...endpoint.secrets.map(({ secret, expiresAt }) => [
      expiresAt ? 'earlier secret' : 'secret',
      expiresAt ? `${secret} (until ${expiresAt})` : secret,
    ]),
  ]
  context.out(values.json ? formatJson(endpoint) : formatTable(rows))
  return 0
}

/** `kassa webhooks rotate`. */
export const rotate: Command = async (args, context) => {
  const { values, positionals } = parseArgs({
    args,
    options: { 'keep-hours': { type: 'string', default: '24' } },
    allowPositionals: true,
  })
  const endpointId = requireOne(positionals, anEndpoint)
  const keepMs = readCount('keep-hours', values['keep-hours'], 0, mostHours) * hourMs
  const { secret } = await withDatabase(context, ({ db }) =>
    rotateSecret({ ...depsOf(context), db }, { endpointId, keepMs }),
  )
  context.out(`${secret}\n`)
  return 0
}

/** `kassa webhooks remove`. */
export const remove: Command = async (args, context) => {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  const endpointId = requireOne(positionals, anEndpoint)
  await withDatabase(context, ({ db }) => removeEndpoint({ db, now: Date.now }, { endpointId }))
  context.err('The endpoint is told nothing more.\n')
  return 0
}

/** `kassa webhooks types`. */
export const types: Command = async (args, { out }) => {
  parseArgs({ args })
  out(`${everyType.join('\n')}\n`)
  return 0
}
