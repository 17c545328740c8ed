import { members } from 'kassa/schema'
import { expect, vi } from 'vitest'
import * as z from 'zod/mini'
import { createHandlers } from '#entry/createHandlers.js'
import { createDefaultCollections } from '#goods/collections/createDefaultCollections.js'
import { createEndpoint } from '#notify/webhooks/endpoints.js'
import { lookForPayments } from '#sale/payments/lookForPayments.js'
import { defaultWatchOptions } from '#sale/payments/watchPayments.js'
import { limits } from '../../../test/limits.js'
import { createCaller } from './createCaller.js'
import { createTestService } from './createTestService.js'
import { createTestSolana } from './createTestSolana.js'
import { startReceiver } from './startReceiver.js'

const picture = new TextEncoder().encode('a picture')
const Id = z.optional(z.string())
const Started = z.looseObject({ actionId: z.string(), id: Id })
const Action = z.looseObject({ status: z.string(), data: z.looseObject({}) })
const Event = z.looseObject({ type: z.string(), actionId: z.string(), data: z.looseObject({}) })

/** The paths of the interface that have no version of their own. */
const toPath = (path: string) => (path.startsWith('/v1-') ? `/api${path}` : `/api/2022-06-09${path}`)

/** The whole service on a local Solana cluster, called over HTTP, with a receiver of all its webhooks. */
export const createSolanaService = async () => {
  const solana = await createTestSolana()
  const service = await createTestService({
    chains: [solana.chain],
    handlers: createHandlers,
    database: solana.database,
    network: { safeFetch: async () => ({ bytes: picture, contentType: 'image/png' }) },
  })
  const { deps, projectId } = service
  await deps.db.transaction((tx) =>
    createDefaultCollections(tx, { projectId, environment: 'staging' }, Date.now()),
  )
  const receiver = await startReceiver()
  await createEndpoint(deps, { projectId, url: receiver.url, eventTypes: members.webhookEventTypes })

  const { send, ask } = createCaller(service, toPath)

  /** Asserts that a request is refused with a message that names its field. */
  const refuse = async (
    status: number,
    [method, path, body]: readonly [method: string, path: string, body?: unknown],
    message: string,
  ): Promise<void> => {
    const refusal = { error: true, message: expect.stringContaining(message) }
    expect(await ask(status, method, path, body)).toMatchObject(refusal)
  }

  /** Requests a change of the chain, and waits until its action has ended in a status. */
  const change = async (method: string, path: string, body?: unknown, status = 'succeeded') => {
    const answer = await ask(200, method, path, body)
    const { actionId, id = '' } = z.parse(Started, answer)
    const read = async () => z.parse(Action, await ask(200, 'GET', `/actions/${actionId}`))
    // Hooks wait for changes too, and `expect.poll` is for tests.
    const action = await vi.waitFor(
      async () => {
        const found = await read()
        expect(found.status).not.toBe('pending')
        return found
      },
      { timeout: limits.conditionMs, interval: 50 },
    )
    expect(action, JSON.stringify(action)).toMatchObject({ status, actionId })
    return { id, actionId, answer, action }
  }

  /** Waits for the webhook of a type about an action, or about an order by its id. */
  const awaitEvent = async (type: string, actionId: string) => {
    const find = () => {
      const events = receiver.received.map(({ body }) => z.parse(Event, JSON.parse(body)))
      const event = events.find((each) => each.type === type && each.actionId === actionId)
      if (event) return event
      throw new Error(`no event ${type} of ${actionId} has arrived`)
    }
    return vi.waitFor(find, limits.conditionMs)
  }

  return {
    solana,
    service,
    send,
    ask,
    refuse,
    change,
    awaitEvent,
    /** Lets failed jobs run again without their pauses, until the returned function is called. */
    skipPauses: () => {
      const skipping = setInterval(() => void service.advance(60_000), 100)
      return () => clearInterval(skipping)
    },
    /** Searches the chain for payments, as the watcher does. */
    look: () => lookForPayments(deps, solana.chain, defaultWatchOptions),
    close: async () => {
      await service.close()
      await receiver.close()
      await solana.close()
    },
  }
}
