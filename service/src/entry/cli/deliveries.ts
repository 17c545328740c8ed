import { parseArgs } from 'node:util'
import { isUuid } from '#base/lib/uuid.js'
import { type Delivery, getEventBody, listDeliveries, replayDeliveries } from '#notify/webhooks/deliveries.js'
import { formatJson, formatTable } from './formatTable.js'
import type { Command } from './group.js'
import { readProject } from './openProject.js'
import { readCount, requireOne, requireOption } from './readArguments.js'
import { UsageError } from './UsageError.js'
import { withDatabase, withJobs } from './withDatabase.js'

const usualLimit = '50'
const maxListed = 1_000

const readEndpointId = (text: string | undefined): string | undefined => {
  if (text === undefined || isUuid(text)) return text
  throw new UsageError(`--endpoint: there is no webhook endpoint ${text}`)
}

const toRow = (delivery: Delivery): string[] => [
  delivery.createdAt.toISOString(),
  delivery.eventId,
  delivery.type,
  delivery.endpointId,
  delivery.status,
  `${delivery.attempts}`,
  delivery.nextAttemptAt?.toISOString() ?? '',
  delivery.lastFailure ?? '',
]

/** `kassa-service webhooks events`. */
export const events: Command = async (args, context) => {
  const { values } = parseArgs({
    args,
    options: {
      project: { type: 'string' },
      endpoint: { type: 'string' },
      failed: { type: 'boolean', default: false },
      limit: { type: 'string', default: usualLimit },
      json: { type: 'boolean', default: false },
    },
  })
  const limit = readCount('limit', values.limit, 1, maxListed)
  const endpointId = readEndpointId(values.endpoint)
  const deliveries = await withDatabase(context, async (db) => {
    const projectId = await readProject(db, values.project)
    return listDeliveries({ db }, { projectId, endpointId, isFailed: values.failed, limit })
  })
  const titles = [
    'created',
    'event',
    'type',
    'endpoint',
    'status',
    'attempts',
    'next attempt',
    'last failure',
  ]
  context.out(values.json ? formatJson(deliveries) : formatTable([titles, ...deliveries.map(toRow)]))
  return 0
}

/** `kassa-service webhooks event`. */
export const event: Command = async (args, context) => {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  const eventId = requireOne(positionals, 'the id of one event')
  context.out(`${await withDatabase(context, (db) => getEventBody({ db }, { eventId }))}\n`)
  return 0
}

/** `kassa-service webhooks replay`. */
export const replay: Command = async (args, context) => {
  const { values, positionals } = parseArgs({
    args,
    options: { endpoint: { type: 'string' }, failed: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  const endpointId = readEndpointId(values.endpoint)
  if (values.failed && positionals.length) {
    throw new UsageError('--failed: sends every failed event: leave out the event id')
  }
  const input = values.failed
    ? { endpointId: requireOption('endpoint', endpointId) }
    : { endpointId, eventId: requireOne(positionals, 'the id of one event, or --failed') }
  const count = await withJobs(context, (deps) => replayDeliveries({ ...deps, now: Date.now }, input))
  context.err(`The service will send ${count} again.\n`)
  return 0
}
