import { expect, test } from 'vitest'
import { createShop } from '../../helpers/createShop.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const shop = openBeforeAll(createShop)
const address = `0x${'a1'.repeat(32)}`
const owner = encodeURIComponent(`aptos:${address}`)
const payment = { method: 'base-sepolia', currency: 'eth' }
const order = {
  recipient: { email: 'ada@example.com' },
  payment,
  lineItems: { collectionLocator: 'kassa:prints' },
}
const token = { recipient: `aptos:${address}`, metadata: { name: 'Tea', image: 'ipfs://tea' } }
const collection = { chain: 'base-sepolia', metadata: { name: 'Tea' } }

test.each([
  [
    'POST',
    '/2022-06-09/orders',
    { ...order, recipient: { walletAddress: address } },
    'recipient.walletAddress',
  ],
  [
    'POST',
    '/2022-06-09/orders',
    { ...order, payment: { ...payment, payerAddress: address } },
    'payment.payerAddress',
  ],
  ['POST', '/2022-06-09/collections/prints/nfts', token, 'recipient'],
  [
    'PUT',
    '/2022-06-09/collections/tea',
    { ...collection, payments: { price: '1', recipientAddress: address } },
    'payments.recipientAddress',
  ],
  ['PUT', '/2022-06-09/collections/tea', { ...collection, chain: 'aptos' }, 'chain'],
  ['GET', `/2022-06-09/wallets/${address}`, undefined, 'walletLocator'],
  ['GET', `/2022-06-09/wallets/${owner}/nfts`, undefined, 'identifier'],
  ['GET', `/v1-alpha1/nfts/${owner}%3A1/credentials`, undefined, 'nftLocator'],
] as const)('error: input-invalid: %s %s', async (method, path, body, field) => {
  const response = await shop.send(method, `/api${path}`, { body })
  const answer = (await response.json()) as { message?: string; error?: unknown }
  expect(answer.message ?? answer.error).toMatch(new RegExp(`^${field}: Aptos is not supported`))
  expect(response.status).toBe(400)
})
