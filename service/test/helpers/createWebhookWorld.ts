import type { WebhookEventType } from 'kassa/schema'
import { createSafePost } from '#adapters/guard/createSafePost.js'
import { createProject } from '#identity/projects/projects.js'
import { emitEvent } from '#notify/webhooks/emitEvent.js'
import { createEndpoint } from '#notify/webhooks/endpoints.js'
import { createWebhookHandlers } from '#notify/webhooks/handlers.js'
import { createTestService, type TestServiceOptions } from './createTestService.js'
import { type Receiver, startReceiver } from './startReceiver.js'

/** A service that sends webhooks to receivers on this machine. */
export const createWebhookWorld = async (options: TestServiceOptions & { timeoutMs?: number } = {}) => {
  const { timeoutMs = 15_000, ...rest } = options
  const service = await createTestService({
    handlers: (deps) => createWebhookHandlers(deps),
    network: { safePost: createSafePost({ isGuarded: false, timeoutMs }) },
    ...rest,
  })
  const { deps, database } = service
  const receivers: Receiver[] = []
  return {
    ...service,
    /** Creates an endpoint of the project, or of another one, and its receiver. */
    addEndpoint: async (
      input: { project?: string; eventTypes?: readonly WebhookEventType[]; url?: string } = {},
    ) => {
      const receiver = await startReceiver()
      receivers.push(receiver)
      const { project, eventTypes = ['nfts.create.succeeded'], url = receiver.url } = input
      const projectId = project === undefined ? service.projectId : await createProject(deps.db, project)
      return { ...receiver, ...(await createEndpoint(deps, { projectId, url, eventTypes })), projectId }
    },
    /** Emits an event of a project, in a transaction that is rolled back if `undo` is set. */
    emit: async (data: unknown = {}, { projectId = service.projectId, undo = false } = {}): Promise<void> => {
      const type = 'nfts.create.succeeded' as const
      const event = { projectId, type, actionId: 'action', startedAtMs: 1_000, completedAtMs: 2_000, data }
      const done = deps.db.transaction(async (tx) => {
        await emitEvent(deps, tx, { ...event, resource: '/2022-06-09/nfts/1' })
        if (undo) throw new Error('undone')
      })
      await (undo ? done.catch(() => {}) : done)
    },
    /** Reads the deliveries to an endpoint, oldest first. */
    deliveriesTo: async (endpointId: string) => {
      const { rows } = await database.executeSql(
        `select d.event_id, d.status, d.attempts, d.round, d.last_status, d.last_failure,
           extract(epoch from d.next_attempt_at) * 1000 as next_ms, extract(epoch from d.updated_at) * 1000 as updated_ms
         from webhook_deliveries d join webhook_events e on e.id = d.event_id
         where d.endpoint_id = $1 order by e.created_at, e.id`,
        [endpointId],
      )
      return rows as {
        event_id: string
        status: string
        attempts: number
        round: number
        last_status: number | null
        last_failure: string | null
        next_ms: string | null
        updated_ms: string
      }[]
    },
    close: async () => {
      await Promise.all(receivers.map((receiver) => receiver.close()))
      await service.close()
    },
  }
}

export type WebhookWorld = Awaited<ReturnType<typeof createWebhookWorld>>
