import { createCheckoutHandler } from 'kassa/server'
import { expect, test } from 'vitest'
import { createAuthorization, createClient, createOrder } from '../../src/api/index.js'
import type { CreateAuthorizationBody, PreparedAuthorization } from '../../src/schema/index.js'
import { createTestService } from '../../src/testing/index.js'
import { standInAccount } from '../../src/testing/standInAccount.js'
import { createShopBrowser } from '../helpers/shopBrowser.js'

const payerAddress = '0x9f3B6B1c0A4E2CF6D1B27F4E5cD0a1B2c3d4E5F6'

/** A shop whose handler stands between the page and a service that sends signed payments. */
const visit = async () => {
  const service = createTestService({ gasless: true })
  const keys: (string | null)[] = []
  const handler = createCheckoutHandler({
    baseUrl: service.baseUrl,
    apiKey: service.serverKey,
    session: 'cookie',
    createOrder: () => ({ lineItems: [{ collectionLocator: 'kassa:dunes-at-dusk' }] }),
    fetch: (input, init) => {
      keys.push(new Headers(init?.headers).get('x-api-key'))
      return service.fetch(input, init)
    },
  })
  const client = createClient({ baseUrl: '/api/checkout', fetch: createShopBrowser(handler).fetch })
  const { order } = await createOrder(client, {
    body: {
      cart: 'poster',
      recipient: { walletAddress: payerAddress },
      payment: { method: 'base-sepolia', currency: 'usdc', payerAddress },
    },
  })
  const { authorization } = order.payment.preparation ?? {}
  const { typedData } = authorization as PreparedAuthorization
  const body: CreateAuthorizationBody = {
    kind: 'erc3009',
    payerAddress,
    domain: typedData.domain,
    message: typedData.message,
    // The cast is deliberate: viem derives the type of a message from types that are literals.
    signature: await standInAccount(payerAddress).signTypedData(typedData as never),
  }
  const { orderId } = order
  return { service, client, orderId, body, keys }
}

test('default: a page pays by a signature through the shop’s own handler, without the server key', async () => {
  const { service, client, orderId, body, keys } = await visit()
  keys.length = 0
  const { status, txId } = await createAuthorization(client, { orderId, body })
  expect([status, keys]).toEqual(['pending', [null]])
  service.advance(5_000)
  expect(service.getOrder(orderId).payment.received?.txId).toBe(txId)
})

test('error: a field that is none of a signed payment’s is refused before the service is asked', async () => {
  const { client, orderId, body, keys } = await visit()
  keys.length = 0
  const post = (changed: object) =>
    createAuthorization(client, { orderId, body: { ...body, ...changed } as CreateAuthorizationBody })
  await expect(post({ units: '1' })).rejects.toThrow('units: not a field that can be given here')
  await expect(post({ kind: 'erc7702' })).rejects.toThrow('kind: expected erc3009')
  await expect(post({ signature: 'signed' })).rejects.toThrow('signature: expected 0x')
  expect(keys).toEqual([])
})

test('error: a page without the order’s cookie pays nothing', async () => {
  const { service, orderId, body } = await visit()
  const handler = createCheckoutHandler({
    baseUrl: service.baseUrl,
    apiKey: service.serverKey,
    session: 'cookie',
    createOrder: () => ({ lineItems: [] }),
    fetch: service.fetch,
  })
  const client = createClient({ baseUrl: '/api/checkout', fetch: createShopBrowser(handler).fetch })
  await expect(createAuthorization(client, { orderId, body })).rejects.toMatchObject({
    code: 'api.unauthorized',
  })
})
