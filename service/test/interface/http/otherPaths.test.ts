import { operations } from 'kassa/schema'
import { expect, test } from 'vitest'
import { findMethods } from '#interface/http/findMethods.js'
import { otherPaths } from '#interface/http/otherPaths.js'
import { routes } from '#interface/routes/index.js'
import { servedPath } from '#interface/routes/route.js'
import { createShop } from '../../helpers/createShop.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const shop = openBeforeAll(createShop)
const served = routes.map((route) => ({ method: route.method.toUpperCase(), path: servedPath(route) }))
const rows = otherPaths.flatMap((row) => row.methods.map((method) => [method, row.path, row] as const))

test.each(rows)('default: %s %s', async (method, template, { instead }) => {
  const path = `/api${template.replaceAll(/\{\w+\}|\*/g, 'any')}`
  expect(findMethods(served, path)).not.toContain(method)
  const response = await shop.send(method, path)
  const { error, message } = (await response.json()) as { error: unknown; message: string }
  expect([response.status, error]).toEqual([404, true])
  expect(message).toMatch(/^Not found: use /)
  for (const name of instead) {
    expect(message).toContain(`${operations[name].method} ${operations[name].path}`)
  }
})

const createPath = 'POST /2022-06-09/orders, the version that is served here'
const others = '2022-06-09, v1-alpha1 and v1-alpha2'

test.each([
  ['POST', '/api/v1-alpha2/orders', `use ${createPath}`],
  ['POST', '/api/2025-06-09/orders', `use ${createPath}`],
  ['POST', '/2025-06-09/orders', `use ${createPath}. The interface is at `],
  ['GET', '/api/2025-06-09/orders/one', 'use GET /2022-06-09/orders/{orderId}, the version'],
  ['POST', '/api/v1-alpha2/wallets', 'use POST /2022-06-09/wallets, the version'],
  [
    'GET',
    '/api/2025-06-09/wallets/ada/balances',
    'use GET /v1-alpha2/wallets/{walletLocator}/balances, the version',
  ],
  [
    'GET',
    '/api/2022-06-09/wallets/ada/balances',
    'use GET /v1-alpha2/wallets/{walletLocator}/balances, the version',
  ],
  [
    'PUT',
    '/api/v2/orders/one/refresh',
    'use POST /2022-06-09/orders/{orderId}/refresh, the version that is served here',
  ],
  [
    'GET',
    '/api/2025-06-09/teapots',
    `2025-06-09 is not served here; the versions of the interface are ${others}`,
  ],
  ['GET', '/2025-06-09/teapots', '2025-06-09 is not served here'],
])('behavior: a path of another version: %s %s', async (method, path, message) => {
  const response = await shop.send(method, path)
  const answer = (await response.json()) as { error: unknown; message: string }
  expect([response.status, answer.error]).toEqual([404, true])
  expect(answer.message).toContain(`Not found: ${message}`)
})

test('behavior: a locator is written as it is', async () => {
  const locator = encodeURIComponent('base-sepolia:0x70997970C51812dc3A010C7d01b50e0d17dc79C8:1')
  const response = await shop.send('DELETE', `/api/v1-alpha1/nfts/${locator}`)
  expect([response.status, await response.json()]).toEqual([
    404,
    {
      error: true,
      message:
        'Not found: use DELETE /2022-06-09/collections/{collectionId}/nfts/{nftId} by its collection and id',
    },
  ])
})

test('behavior: any other path is not found', async () => {
  const response = await shop.send('GET', '/api/2022-06-09/collections/prints/teapots')
  expect(await response.json()).toEqual({ error: true, message: 'Not found' })
})
