import { and, desc, eq } from 'drizzle-orm'
import type { WebhookEventType } from 'kassa/schema'
import { projects, webhookDeliveries, webhookEvents } from '../db/tables/index.js'
import type { Deps } from '../deps.js'

/** The delivery of one event to one endpoint, as the operator sees it. */
export type Delivery = {
  eventId: string
  type: WebhookEventType
  project: string
  endpointId: string
  status: 'pending' | 'succeeded' | 'failed'
  attempts: number
  lastStatus: number | null
  lastFailure: string | null
  nextAttemptAt: Date | null
  createdAt: Date
}

/** The filters of the list of deliveries. */
export type ListDeliveriesInput = {
  projectId?: string | undefined
  endpointId?: string | undefined
  /** Whether to list only those that failed permanently. */
  isFailed: boolean
  limit: number
}

/** Lists the latest deliveries, newest event first. */
export const listDeliveries = (
  { db }: Pick<Deps, 'db'>,
  { projectId, endpointId, isFailed, limit }: ListDeliveriesInput,
): Promise<Delivery[]> =>
  db
    .select({
      eventId: webhookEvents.id,
      type: webhookEvents.type,
      project: projects.name,
      endpointId: webhookDeliveries.endpointId,
      status: webhookDeliveries.status,
      attempts: webhookDeliveries.attempts,
      lastStatus: webhookDeliveries.lastStatus,
      lastFailure: webhookDeliveries.lastFailure,
      nextAttemptAt: webhookDeliveries.nextAttemptAt,
      createdAt: webhookEvents.createdAt,
    })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    .innerJoin(projects, eq(projects.id, webhookEvents.projectId))
    .where(
      and(
        projectId === undefined ? undefined : eq(webhookEvents.projectId, projectId),
        endpointId === undefined ? undefined : eq(webhookDeliveries.endpointId, endpointId),
        isFailed ? eq(webhookDeliveries.status, 'failed') : undefined,
      ),
    )
    .orderBy(desc(webhookEvents.createdAt), desc(webhookEvents.id))
    .limit(limit)
