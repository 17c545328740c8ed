import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { routes } from '#interface/routes/index.js'
import { createShop } from '../../helpers/createShop.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const shop = openBeforeAll(createShop)
const lists = routes.filter(({ query }) => query !== undefined)

describe('error: input-invalid: a query parameter that a route does not take', () => {
  test.each(lists.map((route) => [route.operationId, route] as const))('%s', async (_, { path, query }) => {
    if (!(query instanceof z.ZodMiniObject)) throw new Error('the query is no object')
    const filled = path.replaceAll(/\{(\w+)\}/g, (__, name) =>
      name === 'orderId' ? crypto.randomUUID() : 'any',
    )
    const response = await shop.send('GET', `/api${filled}?status=valid&email=ada@example.com`)
    const message = `not a parameter of this request, which takes ${Object.keys(query.shape).join(', ')}`
    const answer = (await response.json()) as { message?: string; error: unknown }
    expect([response.status, answer.message ?? answer.error]).toEqual([
      400,
      `status: ${message}; email: ${message}`,
    ])
  })
})

test('default: the parameters of published clients are taken', async () => {
  for (const path of [
    '/2022-06-09/collections?page=1&perPage=10',
    '/2022-06-09/collections/prints/nfts?page=1&perPage=10',
    '/2022-06-09/collections/prints/templates?page=1&perPage=10',
    '/2022-06-09/orders?limit=5&sort=oldest',
  ]) {
    expect((await shop.send('GET', `/api${path}`)).status).toBe(200)
  }
})
