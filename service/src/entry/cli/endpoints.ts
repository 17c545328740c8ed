import { parseArgs } from 'node:util'
import { createEndpointUrlCheck } from '#adapters/guard/createEndpointUrlCheck.js'
import type { Config } from '#base/config/config.js'
import { ServiceError } from '#base/errors.js'
import { rotateSecret } from '#notify/webhooks/endpointSecrets.js'
import {
  createEndpoint,
  getEndpoint,
  listEndpoints,
  readEventTypes,
  removeEndpoint,
  updateEndpoint,
} from '#notify/webhooks/endpoints.js'
import { formatJson, formatTable } from './formatTable.js'
import type { Command } from './group.js'
import { readProject, requireProject } from './openProject.js'
import { readCount, readList, requireOne, requireOption } from './readArguments.js'
import { settingsOf } from './settingsOf.js'
import { UsageError } from './UsageError.js'
import { withDatabase } from './withDatabase.js'
import { withSecrets } from './withSecrets.js'

/**
 * Reads the URL of a webhook endpoint.
 *
 * @throws {@link UsageError} naming `--url`.
 */
const readEndpointUrl = ({ environment }: Pick<Config, 'environment'>, text: string): Promise<string> =>
  createEndpointUrlCheck({ isGuarded: environment === 'production' })(text).catch((error: unknown) => {
    throw error instanceof ServiceError ? new UsageError(`--url: ${error.message}`) : error
  })

const hourMs = 60 * 60_000
const maxHours = 30 * 24
const anEndpoint = 'the id of one webhook endpoint'
const everyType = readEventTypes(['all'])
const json = { type: 'boolean', default: false } as const

/** `kassa-service webhooks create`. */
export const create: Command = async (args, context) => {
  const { values } = parseArgs({
    args,
    options: { project: { type: 'string' }, url: { type: 'string' }, types: { type: 'string' }, json },
  })
  const project = requireOption('project', values.project)
  const url = await readEndpointUrl(settingsOf(context), requireOption('url', values.url))
  const eventTypes = readEventTypes(readList(requireOption('types', values.types)))
  const { id, secret } = await withSecrets(context, async (deps) => {
    const projectId = await requireProject(deps.db, project)
    return createEndpoint(deps, { projectId, url, eventTypes })
  })
  context.out(values.json ? formatJson({ id, secret }) : `id      ${id}\nsecret  ${secret}\n`)
  return 0
}

/** `kassa-service webhooks list`. */
export const list: Command = async (args, context) => {
  const { values } = parseArgs({ args, options: { project: { type: 'string' }, json } })
  const endpoints = await withDatabase(context, async (db) =>
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

/** `kassa-service webhooks show`. */
export const show: Command = async (args, context) => {
  const { values, positionals } = parseArgs({ args, options: { json }, allowPositionals: true })
  const endpointId = requireOne(positionals, anEndpoint)
  const endpoint = await withSecrets(context, (deps) => getEndpoint(deps, { endpointId }))
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

/** `kassa-service webhooks update`. */
export const update: Command = async (args, context) => {
  const { values, positionals } = parseArgs({
    args,
    options: { url: { type: 'string' }, types: { type: 'string' } },
    allowPositionals: true,
  })
  const endpointId = requireOne(positionals, anEndpoint)
  if (values.url === undefined && values.types === undefined) {
    throw new UsageError('expected --url, --types, or both')
  }
  const url = values.url === undefined ? undefined : await readEndpointUrl(settingsOf(context), values.url)
  const eventTypes = values.types === undefined ? undefined : readEventTypes(readList(values.types))
  await withDatabase(context, (db) => updateEndpoint({ db, now: Date.now }, { endpointId, url, eventTypes }))
  context.err('Endpoint updated. Its secret is unchanged.\n')
  return 0
}

/** `kassa-service webhooks rotate`. */
export const rotate: Command = async (args, context) => {
  const { values, positionals } = parseArgs({
    args,
    options: { 'keep-hours': { type: 'string', default: '24' } },
    allowPositionals: true,
  })
  const endpointId = requireOne(positionals, anEndpoint)
  const keepMs = readCount('keep-hours', values['keep-hours'], 0, maxHours) * hourMs
  const { secret } = await withSecrets(context, (deps) => rotateSecret(deps, { endpointId, keepMs }))
  context.out(`${secret}\n`)
  return 0
}

/** `kassa-service webhooks remove`. */
export const remove: Command = async (args, context) => {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  const endpointId = requireOne(positionals, anEndpoint)
  await withDatabase(context, (db) => removeEndpoint({ db, now: Date.now }, { endpointId }))
  context.err('Endpoint removed. It receives no more events.\n')
  return 0
}

/** `kassa-service webhooks types`. */
export const types: Command = async (args, { out }) => {
  parseArgs({ args })
  out(`${everyType.join('\n')}\n`)
  return 0
}
