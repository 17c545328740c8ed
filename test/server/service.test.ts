import { createWebhookHandler, type WebhookEvent } from 'kassa/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEndpoint } from '../../service/src/notify/webhooks/endpoints.js'
import { putCollection } from '../../src/api/index.js'
import { members } from '../../src/schema/index.js'
import { createTokenShop, type TokenShop } from '../helpers/createTokenShop.js'

const heard: { event: WebhookEvent; id: string }[] = []
const refused: unknown[] = []
let handle: ((request: Request) => Promise<Response>) | undefined
let shop: TokenShop

beforeAll(async () => {
  shop = await createTokenShop({
    // The very bytes and headers that would go out reach the endpoint in this process.
    safePost: async (url, { headers, body }) => {
      const answer = await handle?.(new Request(url, { method: 'POST', headers, body }))
      return { status: answer?.status ?? 503 }
    },
  })
  const { service } = shop
  const url = 'https://shop.example/webhooks'
  const endpoint = { projectId: service.projectId, url, eventTypes: members.webhookEventTypes }
  const { secret } = await createEndpoint(service.deps, endpoint)
  handle = createWebhookHandler({
    secret,
    onEvent: (event, { id }) => void heard.push({ event, id }),
    onError: (error) => void refused.push(error),
  })
})
afterAll(() => shop.close())

test('default: what the service sends is verified and read', async () => {
  const { actionId } = await putCollection(shop.client, {
    collectionId: 'medals',
    body: { chain: 'base-sepolia', metadata: { name: 'Médailles 🏅' } },
  })
  await expect.poll(() => heard.length + refused.length).toBeGreaterThan(0)
  expect(refused).toEqual([])
  const [{ event, id } = { event: undefined, id: '' }] = heard
  expect(id).toMatch(/^msg_/)
  expect(event).toMatchObject({
    type: 'collections.create.succeeded',
    actionId,
    data: { chain: 'base-sepolia', collection: { id: 'medals' } },
    timestamp: expect.any(Number),
  })
})
