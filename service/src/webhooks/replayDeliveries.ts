import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Transaction } from '../db/database.js'
import { webhookDeliveries, webhookEndpoints } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'
import { lockEndpoint } from './lockEndpoint.js'

/** What to replay: one event, to one endpoint or to all it was sent to; or all that an endpoint missed. */
export type ReplayInput = { eventId: string; endpointId?: string | undefined } | { endpointId: string }

const perTransaction = 200

type ReplayDeps = Pick<Deps, 'db' | 'jobs' | 'now'>

/** Starts a new round, so that the jobs of the last one do nothing. */
const begin = async (deps: ReplayDeps, tx: Transaction, key: { eventId: string; endpointId: string }) => {
  const at = new Date(deps.now())
  const [row] = await tx
    .update(webhookDeliveries)
    .set({
      status: 'pending',
      attempts: 0,
      round: sql`${webhookDeliveries.round} + 1`,
      nextAttemptAt: at,
      updatedAt: at,
    })
    .where(and(eq(webhookDeliveries.eventId, key.eventId), eq(webhookDeliveries.endpointId, key.endpointId)))
    .returning({ round: webhookDeliveries.round })
  if (row) await deps.jobs.enqueue(tx, 'webhooks.send', { ...key, round: row.round, attempt: 1 })
}

/** Restarts a limited number of the requested deliveries whose endpoints still exist. */
const replaySome = (deps: ReplayDeps, input: ReplayInput): Promise<number> =>
  deps.db.transaction(async (tx) => {
    const { endpointId } = input
    const isAsked =
      'eventId' in input
        ? eq(webhookDeliveries.eventId, input.eventId)
        : eq(webhookDeliveries.status, 'failed')
    if (endpointId !== undefined) await lockEndpoint(tx, endpointId)
    const isThere = endpointId === undefined ? undefined : eq(webhookDeliveries.endpointId, endpointId)
    const keys = await tx
      .select({ eventId: webhookDeliveries.eventId, endpointId: webhookDeliveries.endpointId })
      .from(webhookDeliveries)
      .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
      .where(and(isAsked, isThere, isNull(webhookEndpoints.removedAt)))
      .limit(perTransaction)
    for (const key of keys) await begin(deps, tx, key)
    return keys.length
  })

/**
 * Sends events again, from the first attempt, under their original `webhook-id`.
 *
 * @returns How many deliveries were restarted.
 * @throws {@link ServiceError} `not-found` for an unknown endpoint, or an event without a remaining endpoint.
 */
export const replayDeliveries = async (deps: ReplayDeps, input: ReplayInput): Promise<number> => {
  let count = await replaySome(deps, input)
  if ('eventId' in input) {
    if (count) return count
    const where = input.endpointId === undefined ? '' : ` for endpoint ${input.endpointId}`
    throw new ServiceError('not-found', `there is no event ${input.eventId}${where}`)
  }
  for (let more = count; more === perTransaction; count += more) more = await replaySome(deps, input)
  return count
}
