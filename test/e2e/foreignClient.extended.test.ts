import { createPublicClient, erc721Abi, getAddress, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningService, startService } from '../../scripts/lib/stack.mjs'
import { fund, rpcUrlOf } from './helpers/chain.js'
import { freshDataDir } from './helpers/dataDir.js'
import { createForeignClient, type ForeignOrder } from './helpers/foreignClient.js'

let stack: RunningService
beforeAll(async () => {
  stack = await startService({ dataDir: freshDataDir('foreign-client') })
})
afterAll(() => stack?.stop())

const open = () =>
  createForeignClient({
    baseUrl: `${stack.serviceUrl}/api`,
    clientKey: stack.sandbox.clientKey,
    origin: stack.storefrontUrl,
  })

const ownerOf = ({ chain, delivery }: ForeignOrder['lineItems'][number], index = 0): Promise<string> => {
  const token = delivery.tokens?.[index]
  if (!token) throw new Error('nothing was delivered')
  return createPublicClient({ transport: http(rpcUrlOf(stack, chain)) }).readContract({
    abi: erc721Abi,
    address: getAddress(token.contractAddress),
    functionName: 'ownerOf',
    args: [BigInt(token.tokenId)],
  })
}

describe('a client written against the interface by an outside developer', () => {
  test.each(['eth', 'usdc'])('parameters: payment.currency %s', async (currency) => {
    const client = open()
    const account = privateKeyToAccount(generatePrivateKey())
    const payment = { method: 'base-sepolia', currency }
    await fund(stack, 'base-sepolia', account.address)

    const { clientSecret, order } = await client.createOrder({
      recipient: { walletAddress: account.address },
      locale: 'en-US',
      payment,
      lineItems: { collectionLocator: 'kassa:dunes-at-dusk', callData: { quantity: 1, totalPrice: '0.012' } },
    })
    expect(order).toMatchObject({
      phase: 'payment',
      quote: { status: 'valid' },
      payment: { status: 'requires-crypto-payer-address' },
    })
    expect(order.payment.preparation).toBeUndefined()

    const payable = await client.setPayment(order.orderId, clientSecret, {
      ...payment,
      payerAddress: account.address,
    })
    expect(payable.payment.status).toBe('awaiting-payment')

    await client.pay(payable, account, rpcUrlOf(stack, 'base-sepolia'))
    const completed = await client.waitUntilCompleted(order.orderId, clientSecret)
    const [item] = completed.lineItems
    if (!item) throw new Error('the order lost its line item')
    expect(item.delivery.status).toBe('completed')
    expect(await ownerOf(item)).toBe(account.address)
  })

  test('error: a client key from another origin', async () => {
    const foreign = createForeignClient({
      baseUrl: `${stack.serviceUrl}/api`,
      clientKey: stack.sandbox.clientKey,
      origin: 'https://elsewhere.example',
    })
    const body = {
      payment: { method: 'base-sepolia', currency: 'eth' },
      lineItems: { collectionLocator: 'kassa:dunes-at-dusk' },
    }
    await expect(foreign.createOrder(body)).rejects.toThrow('403')
  })

  test('error: another order’s client secret', async () => {
    const client = open()
    const body = {
      payment: { method: 'base-sepolia', currency: 'eth' },
      lineItems: { collectionLocator: 'kassa:dunes-at-dusk' },
    }
    const [one, other] = await Promise.all([client.createOrder(body), client.createOrder(body)])
    expect(one.order.payment.status).toBe('requires-quote')
    await expect(client.getOrder(one.order.orderId, other.clientSecret)).rejects.toThrow(/40[134]/)
    expect((await client.getOrder(one.order.orderId, one.clientSecret)).orderId).toBe(one.order.orderId)
  })
})
