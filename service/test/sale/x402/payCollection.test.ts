import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { eq } from 'drizzle-orm'
import type { Order } from 'kassa/schema'
import type { LocalAccount } from 'viem'
import { describe, expect, test } from 'vitest'
import { apiKeys, authorizations, orders } from '#base/db/tables/index.js'
import { createX402World, printUnits } from '../../helpers/createX402World.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const world = openBeforeAll(createX402World)

type Json = Record<string, unknown>
type Required = { error: string; resource: Json; accepts: Json[]; extensions: Json }

const decode = <Type = Json>(header: string | null): Type =>
  JSON.parse(Buffer.from(header ?? '', 'base64').toString('utf8')) as Type
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')

const clientOf = (account: LocalAccount) =>
  new x402Client().register('eip155:84532', new ExactEvmScheme(account))

const ask = async (url: string): Promise<Required> => {
  const response = await fetch(url)
  expect(response.status, await response.clone().text()).toBe(402)
  return decode<Required>(response.headers.get('PAYMENT-REQUIRED'))
}

const sign = async (account: LocalAccount, url: string, change: Json = {}) => {
  const required = await ask(url)
  const accepts = required.accepts.map((one) => ({ ...one, ...change }))
  return clientOf(account)
    .setSpendControls(false)
    .createPaymentPayload({ ...required, accepts } as never)
}

const send = (url: string, payload: unknown): Promise<Response> =>
  fetch(url, { headers: { 'PAYMENT-SIGNATURE': encode(payload) } })

const countOrders = () => world.db.$count(orders)

let count = 0
const addCollection = async (change: Parameters<typeof world.addCollection>[1] = {}): Promise<string> => {
  const id = `edition-${++count}`
  await world.addCollection(id, change)
  return world.collectionUrl(id)
}

const expectRefused = async (response: Response, reason: string) => {
  expect(response.status).toBe(402)
  expect(decode(response.headers.get('PAYMENT-RESPONSE'))).toMatchObject({
    success: false,
    errorReason: reason,
  })
}

describe('what is to be paid', () => {
  test('default: the price of one token, to an address that no other answer has', async () => {
    const url = await addCollection()
    const [one, other] = [await ask(url), await ask(url)]
    expect(one.accepts).toEqual([
      expect.objectContaining({ network: 'eip155:84532', amount: `${printUnits}`, scheme: 'exact' }),
    ])
    expect(one.accepts[0]?.payTo).not.toBe(other.accepts[0]?.payTo)
  })

  test('behavior: asking makes no order, however often', async () => {
    const url = await addCollection()
    const before = await countOrders()
    for (let at = 0; at < 20; at++) await ask(url)
    expect(await countOrders()).toBe(before)
  })

  test('behavior: the price has the tax of the deployment', async () => {
    const url = await addCollection()
    const { config } = world.deps
    world.deps.config = { ...config, salesTaxBasisPoints: 1_000 }
    try {
      expect((await ask(url)).accepts[0]?.amount).toBe('1100000')
      const buyer = await world.createBuyer()
      const response = await send(url, await sign(buyer, url))
      expect(response.status, await response.clone().text()).toBe(200)
    } finally {
      world.deps.config = config
    }
  })

  test('error: a project whose keys are all secret sells nothing to strangers', async () => {
    const url = await addCollection()
    const change = async (kind: 'client' | 'server', fields: Partial<typeof apiKeys.$inferInsert>) => {
      await world.deps.db.update(apiKeys).set(fields).where(eq(apiKeys.kind, kind))
      return (await fetch(url)).status
    }
    expect(await change('client', { revokedAt: new Date() })).toBe(404)
    expect(await change('client', { revokedAt: null, expiresAt: new Date(1) })).toBe(404)
    expect(await change('client', { expiresAt: null, scopes: ['orders.read'] })).toBe(404)
    expect(await change('client', { scopes: ['orders.create'] })).toBe(402)
  })

  test.each([
    ['a collection that does not exist', 'no-such', 404],
    ['an id that no collection has', '%20', 404],
    ['a project that has none of this id', `prints?projectId=${crypto.randomUUID()}`, 404],
    ['a project that is no id', 'prints?projectId=mine', 400],
    ['a template that does not exist', 'prints?templateId=none', 404],
  ])('error: %s', async (_, path, status) => {
    const response = await fetch(world.collectionUrl(path))
    expect(response.status, await response.text()).toBe(status)
  })
})

describe('what is bought', () => {
  test('default: the payer’s wallet gets one token, and the order can be followed', async () => {
    const url = await addCollection()
    const buyer = await world.createBuyer()
    const response = await wrapFetchWithPayment(fetch, clientOf(buyer))(url)
    const order = (await response.json()) as Order
    await world.waitFor(order.orderId, 'completed')
    const followed = await fetch(String(order.payment.x402Url))
    expect(await followed.json()).toMatchObject({ orderId: order.orderId, phase: 'completed' })
    expect(order).not.toHaveProperty('clientSecret')
  })

  test('behavior: the same payment again, and three at once, buy one token', async () => {
    const url = await addCollection()
    const buyer = await world.createBuyer()
    const payload = await sign(buyer, url)
    const before = await countOrders()
    const answers = await Promise.all([1, 2, 3].map(() => send(url, payload)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const bought = (await Promise.all(answers.map((answer) => answer.json()))) as Order[]
    expect(new Set(bought.map(({ orderId }) => orderId)).size).toBe(1)
    expect((await send(url, payload)).status).toBe(200)
    await world.waitFor(bought[0]?.orderId ?? '', 'completed')
    expect(await countOrders()).toBe(before + 1)
    expect(await world.balanceOf('usdc', buyer.address)).toBe(9n * printUnits)
    expect(await world.differing()).toEqual([])
  })

  test('behavior: a process that ended after it made the order is taken over by the same payment', async () => {
    const url = await addCollection()
    const buyer = await world.createBuyer()
    const payload = await sign(buyer, url)
    const { db } = world.deps
    // The order is stored, and nothing of the payment.
    const dying = new Proxy(db, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        if (name !== 'select' || typeof member !== 'function') return member
        return (...args: unknown[]) => {
          const query = Reflect.apply(member, target, args) as { from(table: unknown): unknown }
          return {
            from: (table: unknown) => {
              if (table === authorizations) throw new Error('killed')
              return query.from(table)
            },
          }
        }
      },
    })
    world.deps.db = dying
    const before = await countOrders()
    expect((await send(url, payload)).status).toBe(500)
    world.deps.db = db
    expect(await countOrders()).toBe(before + 1)
    const response = await send(url, payload)
    expect(response.status).toBe(200)
    const { orderId } = (await response.json()) as Order
    await world.waitFor(orderId, 'completed')
    expect(await countOrders()).toBe(before + 1)
    expect(await world.balanceOf('usdc', buyer.address)).toBe(9n * printUnits)
  })

  test('behavior: of two buyers of the last token, one pays', async () => {
    const url = await addCollection({ supplyLimit: 1 })
    const buyers = [await world.createBuyer(), await world.createBuyer()]
    const payloads = await Promise.all(buyers.map((buyer) => sign(buyer, url)))
    const [one, other] = payloads
    const first = await send(url, one)
    expect(first.status).toBe(200)
    await world.waitFor(((await first.json()) as Order).orderId, 'completed')
    const late = await send(url, other)
    expect(late.status).toBe(409)
    expect(await late.text()).toContain('sold out')
    expect(await world.balanceOf('usdc', buyers[1]?.address ?? '')).toBe(10n * printUnits)
    expect((await fetch(url)).status).toBe(409)
  })
})

describe('what is refused', () => {
  test.each([
    [
      'a payer without money',
      'insufficient_funds',
      async (url: string) => sign(await world.createBuyer(1n), url),
    ],
    [
      'another amount',
      'invalid_exact_evm_payload_authorization_value_mismatch',
      async (url: string) => sign(await world.createBuyer(), url, { amount: '1' }),
    ],
    [
      'another address',
      'invalid_exact_evm_payload_recipient_mismatch',
      async (url: string) =>
        sign(await world.createBuyer(), url, { payTo: '0x00000000000000000000000000000000000000bb' }),
    ],
    [
      'no order',
      'invalid_payment_requirements',
      async (url: string) => sign(await world.createBuyer(), url, { extra: { name: 'USDC', version: '2' } }),
    ],
    [
      'an order of its own choice, whose address it does not pay',
      'invalid_exact_evm_payload_recipient_mismatch',
      async (url: string) =>
        sign(await world.createBuyer(), url, {
          extra: { name: 'USDC', version: '2', orderId: crypto.randomUUID() },
        }),
    ],
    [
      'another buyer’s order',
      'invalid_payment_requirements',
      async (url: string) => {
        const { order } = await world.createOrder((await world.createBuyer()).address)
        const payTo = world.port.paymentTarget({ orderId: order.orderId, currency: 'usdc' })
        return sign(await world.createBuyer(), url, {
          payTo,
          extra: { name: 'USDC', version: '2', orderId: order.orderId },
        })
      },
    ],
  ])('error: %s: %s, and no order is made', async (_, reason, pay) => {
    const url = await addCollection()
    const payload = await pay(url)
    const before = await countOrders()
    await expectRefused(await send(url, payload), reason)
    expect(await countOrders()).toBe(before)
  })

  test('error: a signature of someone else makes no order', async () => {
    const url = await addCollection()
    const [buyer, victim] = [await world.createBuyer(), await world.createBuyer()]
    const payload = await sign(buyer, url)
    const { authorization } = payload.payload as { authorization: Json }
    const before = await countOrders()
    const stolen = {
      ...payload,
      payload: { ...payload.payload, authorization: { ...authorization, from: victim.address } },
    }
    await expectRefused(await send(url, stolen), 'invalid_exact_evm_payload_signature')
    expect(await countOrders()).toBe(before)
    expect(await world.balanceOf('usdc', victim.address)).toBe(10n * printUnits)
  })

  test('error: rate-limited: one network asks too often', async () => {
    const url = await addCollection()
    const { status } = await fetch(url)
    expect(status).toBe(402)
    const headers = (await fetch(url)).headers
    expect(Number(headers.get('ratelimit-remaining'))).toBeGreaterThan(0)
    expect(
      await world.db.select().from(authorizations).where(eq(authorizations.orderId, crypto.randomUUID())),
    ).toEqual([])
  })
})
