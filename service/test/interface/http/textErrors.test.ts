import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { ServiceError } from '#base/errors.js'
import { scopes } from '#base/scopes.js'
import { createKey } from '#identity/keys/apiKeys.js'
import type { ServiceEnv } from '#interface/http/context.js'
import { onError, onNotFound, textErrors } from '#interface/http/onError.js'
import { limitBody } from '#interface/http/readBody.js'
import { createFakeChain } from '../../helpers/createFakeChain.js'
import { createShop } from '../../helpers/createShop.js'
import { testConfig } from '../../helpers/testConfig.js'

const log = { info: () => {}, warn: () => {}, error: () => {} }

const app = new Hono<ServiceEnv>()
app.onError(onError(log))
app.notFound(onNotFound([], 'http://service.test'))
app.use('/text/*', textErrors())
app.use(limitBody(new Set()))
const detail = { reason: 'execution_reverted', message: 'It reverted', revert: { type: 'contract_call' } }
for (const form of ['text', 'plain']) {
  app.get(`/${form}/refused`, () => {
    throw new ServiceError('rate-limited', 'Too many requests')
  })
  app.get(`/${form}/detailed`, () => {
    throw new ServiceError('reverted', 'The transaction reverted', { detail })
  })
  app.get(`/${form}/broken`, () => {
    throw new Error('a secret of the machine')
  })
}

test.each([
  ['/text/refused', 429, { error: 'Too many requests' }],
  ['/plain/refused', 429, { error: true, message: 'Too many requests' }],
  ['/text/detailed', 422, { error: 'The transaction reverted' }],
  ['/plain/detailed', 422, { error: detail, message: 'The transaction reverted' }],
  ['/text/broken', 500, { error: expect.stringMatching(/^Something went wrong: please contact support/) }],
  ['/plain/broken', 500, { error: true, message: expect.stringMatching(/^Something went wrong/) }],
  ['/text/nowhere', 404, { error: 'Not found' }],
  ['/plain/nowhere', 404, { error: true, message: 'Not found' }],
])('default: %s', async (path, status, body) => {
  const response = await app.request(path)
  expect(response.status).toBe(status)
  expect(await response.json()).toEqual(body)
})

test('behavior: refusals before the verb have the same form', async () => {
  const body = 'x'.repeat(1024 * 1024 + 1)
  const response = await app.request('/text/refused', { method: 'POST', body })
  expect(response.status).toBe(413)
  expect(await response.json()).toEqual({ error: expect.stringContaining('1 MiB') })
})

test('behavior: the listing of tokens, for every kind of refusal', async () => {
  const chain = createFakeChain({ now: Date.now })
  const limits = { ...testConfig.limits, readsPerMinute: 3 }
  const nftContracts = [{ address: '0x00000000000000000000000000000000000000cc', fromBlock: 0n }]
  const base = { rpcUrl: undefined, confirmations: 1, tokens: [], nftContracts }
  const config = { limits, chains: { 'base-sepolia': base } }
  const shop = await createShop({ chains: [chain.port], config })
  const { projectId } = shop
  const poorKey = await createKey(shop.deps, {
    environment: shop.deps.config.environment,
    projectId,
    kind: 'server' as const,
    origins: [],
    scopes: scopes.filter((scope) => scope !== 'wallets:nfts.read'),
  })
  const owner = 'base-sepolia:0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const ask = async (identifier: string, key: string | null = shop.serverKey) => {
    const response = await shop.send('GET', `/api/2022-06-09/wallets/${identifier}/nfts`, { key })
    expect(await response.json()).toEqual({ error: expect.any(String) })
    return response.status
  }
  expect(await ask(owner, null)).toBe(401)
  expect(await ask(owner, 'nonsense')).toBe(401)
  expect(await ask(owner, poorKey)).toBe(403)
  expect(await ask('nowhere:0x1')).toBe(400)
  await shop.send('GET', `/api/2022-06-09/wallets/${owner}/nfts`)
  chain.state.isAway = true
  expect(await ask(owner)).toBe(503)
  expect(await ask(owner)).toBe(429)
  await shop.close()
})
