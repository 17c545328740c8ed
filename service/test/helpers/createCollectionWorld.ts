import { asc, eq } from 'drizzle-orm'
import { CreateCollectionBody, members, UpdateCollectionBody } from 'kassa/schema'
import * as z from 'zod/mini'
import type { Call } from '#base/call.js'
import type { Database } from '#base/db/database.js'
import { webhookEndpoints, webhookEvents } from '#base/db/tables/index.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { JobHandler, JobName } from '#base/ports/jobs.js'
import { getAction } from '#goods/actions/actions.js'
import { createCollection } from '#goods/collections/createCollection.js'
import { requireCollection } from '#goods/collections/findCollection.js'
import { createCollectionHandlers } from '#goods/collections/handlers.js'
import { updateCollection } from '#goods/collections/updateCollection.js'
import { createOrderWorld } from './createOrderWorld.js'

export const teaBody = {
  chain: 'base-sepolia' as const,
  metadata: { name: 'Tea', description: 'Leaves', symbol: 'TEA', imageUrl: 'ipfs://bafytea' },
}

type Input = Record<string, unknown>

/**
 * The verbs and jobs of collections, with a queue that the test runs and an endpoint that subscribes to every
 * event.
 */
export const createCollectionWorld = async (parts: {
  db: Database
  chains: readonly ChainPort[]
  now: () => number
}) => {
  const world = await createOrderWorld(parts)
  const { deps, projectId, serverCall, queue } = world
  await deps.db.insert(webhookEndpoints).values({
    projectId,
    url: 'https://shop.example/hooks',
    eventTypes: [...members.webhookEventTypes],
    secrets: [],
    createdAt: new Date(0),
  })
  const handlers: Partial<Record<JobName, JobHandler<never>>> = createCollectionHandlers(deps)
  const isDue = ({ name, startAfterMs }: (typeof queue)[number]) =>
    handlers[name] !== undefined && startAfterMs <= deps.now()

  return {
    ...world,
    put: (collectionId: string, body: Input = {}, call: Call = serverCall) =>
      createCollection(deps, call, {
        collectionId,
        body: z.parse(CreateCollectionBody, { ...teaBody, ...body }),
      }),
    patch: (collectionId: string, body: Input) =>
      updateCollection(deps, serverCall, { collectionId, body: z.parse(UpdateCollectionBody, body) }),
    /** A collection as the database stores it. */
    read: (collectionId: string) => requireCollection(deps.db, projectId, collectionId),
    follow: (actionId: string | undefined) => getAction(deps, serverCall, { actionId: actionId ?? '' }),
    /** The events that the endpoint receives, oldest first. */
    listEvents: async (): Promise<Input[]> => {
      const rows = await deps.db
        .select()
        .from(webhookEvents)
        .where(eq(webhookEvents.projectId, projectId))
        .orderBy(asc(webhookEvents.createdAt))
      return rows.map(({ body }) => JSON.parse(body))
    },
    /** The JSON behind an `ipfs://` URI. */
    readJson: async (uri: string | null): Promise<unknown> => {
      const file = await deps.storage.get(uri?.replace('ipfs://', '') ?? '')
      return file && JSON.parse(new TextDecoder().decode(file.bytes))
    },
    /** Runs the due jobs until none are left. A failed one stays and throws. */
    work: async () => {
      for (let job = queue.find(isDue); job; job = queue.find(isDue)) {
        await handlers[job.name]?.(job.data as never)
        queue.splice(queue.indexOf(job), 1)
      }
    },
  }
}

export type CollectionWorld = Awaited<ReturnType<typeof createCollectionWorld>>
