import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client, x402HTTPClient } from '@x402/fetch'
import { eq } from 'drizzle-orm'
import type { LocalAccount } from 'viem'
import { describe, expect, test } from 'vitest'
import { authorizations, idempotencyKeys, orders } from '#base/db/tables/index.js'
import { createX402World, printUnits } from '../../helpers/createX402World.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const world = openBeforeAll(createX402World)

type Json = Record<string, unknown>
type Required = { x402Version: number; error: string; resource: Json; accepts: Json[]; extensions: Json }

const decode = <Type = Json>(header: string | null): Type =>
  JSON.parse(Buffer.from(header ?? '', 'base64').toString('utf8')) as Type
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')

const clientOf = (account: LocalAccount) =>
  new x402Client().register('eip155:84532', new ExactEvmScheme(account))

const readRequired = async (url: string): Promise<Required> => {
  const response = await fetch(url, { method: 'POST' })
  expect(response.status).toBe(402)
  expect(response.headers.get('cache-control')).toBe('no-store')
  return decode<Required>(response.headers.get('PAYMENT-REQUIRED'))
}

/** Signs what a URL asks for, as the standard's own client does. */
const sign = async (account: LocalAccount, url: string, change: { accepted?: Json; id?: string } = {}) => {
  const required = await readRequired(url)
  const [first] = required.accepts
  const accepts = [{ ...first, ...change.accepted }]
  const payload = await clientOf(account)
    .setSpendControls(false)
    .createPaymentPayload({ ...required, accepts } as never)
  const echoed = required.extensions['payment-identifier'] as { info: Json }
  const extensions = { 'payment-identifier': { ...echoed, info: { ...echoed.info, id: change.id } } }
  return { ...payload, ...(change.id !== undefined && { extensions }) }
}

const send = (url: string, payload: unknown, signal?: AbortSignal): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'PAYMENT-SIGNATURE': encode(payload) },
    ...(signal && { signal }),
  })

const rowsOf = (orderId: string) =>
  world.db.select().from(authorizations).where(eq(authorizations.orderId, orderId))

/** Asserts that an order was paid once, whatever happened on the way. */
const expectPaidOnce = async (buyer: LocalAccount, orderId: string) => {
  const order = await world.waitFor(orderId, 'completed')
  expect(order.payment.transactions).toHaveLength(1)
  expect(await world.balanceOf('usdc', buyer.address)).toBe(9n * printUnits)
  expect(await world.client.getBalance({ address: buyer.address })).toBe(0n)
  expect(await world.differing()).toEqual([])
}

const open = async () => {
  const buyer = await world.createBuyer()
  return { buyer, ...(await world.createOrder(buyer.address)) }
}

describe('what is to be paid', () => {
  test('default: the amount, the token, and the address of the order', async () => {
    const { order, x402Url } = await open()
    const required = await readRequired(x402Url)
    expect(required).toMatchObject({
      x402Version: 2,
      error: 'PAYMENT-SIGNATURE header is required',
      resource: { url: expect.stringContaining(order.orderId) },
      extensions: { 'payment-identifier': { info: { required: false } } },
    })
    expect(required.accepts).toEqual([
      {
        scheme: 'exact',
        network: 'eip155:84532',
        amount: `${printUnits}`,
        asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
        payTo: world.port.paymentTarget({ orderId: order.orderId, currency: 'usdc' }),
        maxTimeoutSeconds: expect.any(Number),
        extra: { name: 'USDC', version: '2', assetTransferMethod: 'eip3009', orderId: order.orderId },
      },
    ])
  })

  test('behavior: GET says the same', async () => {
    const { x402Url } = await open()
    const response = await fetch(x402Url)
    expect(response.status).toBe(402)
    expect(decode<Required>(response.headers.get('PAYMENT-REQUIRED')).accepts).toEqual(
      (await readRequired(x402Url)).accepts,
    )
  })

  test('behavior: the token of the URL is in no header, body or log', async () => {
    const { x402Url } = await open()
    const token = new URL(x402Url).searchParams.get('token') ?? ''
    const response = await fetch(x402Url)
    expect(Buffer.from(response.headers.get('PAYMENT-REQUIRED') ?? '', 'base64').toString()).not.toContain(
      token,
    )
    expect(await response.text()).not.toContain(token)
    expect(world.service.logged()).not.toContain(token)
  })

  test('error: not-found: another token, none, or another order’s', async () => {
    const [one, other] = [await open(), await open()]
    const bare = one.x402Url.slice(0, one.x402Url.indexOf('?'))
    const foreign = `${bare}${other.x402Url.slice(other.x402Url.indexOf('?'))}`
    for (const url of [bare, `${bare}?token=xp_wrong`, foreign]) expect((await fetch(url)).status).toBe(404)
  })

  test('behavior: an order in a coin, or in a token that takes no signed transfers, has no URL', async () => {
    for (const currency of ['eth', 'usdt']) {
      const { order } = await world.createOrder((await world.createBuyer()).address, currency)
      expect(order.payment).not.toHaveProperty('x402Url')
    }
  })

  test('behavior: an expired quote is renewed', async () => {
    const { order, x402Url } = await open()
    const { db } = world
    const [row] = await db.select().from(orders).where(eq(orders.id, order.orderId))
    if (!row) throw new Error('no order')
    const document = { ...row.document, quote: { ...row.document.quote, expiresAtMs: Date.now() - 1_000 } }
    await db
      .update(orders)
      .set({ document, revision: row.revision + 1 })
      .where(eq(orders.id, order.orderId))
    const [accepted] = (await readRequired(x402Url)).accepts
    expect(Number(accepted?.maxTimeoutSeconds)).toBeGreaterThan(30)
    expect(accepted?.payTo).toBe(world.port.paymentTarget({ orderId: order.orderId, currency: 'usdc' }))
  })
})

describe('what is refused', () => {
  /** Changes what was signed, after it was signed. */
  const cases: [string, string, (payload: Json) => unknown][] = [
    [
      'a scheme',
      'unsupported_scheme',
      (payload) => ({ ...payload, accepted: { ...(payload.accepted as Json), scheme: 'upto' } }),
    ],
    [
      'a network',
      'invalid_network',
      (payload) => ({ ...payload, accepted: { ...(payload.accepted as Json), network: 'eip155:1' } }),
    ],
    [
      'an asset',
      'invalid_payment_requirements',
      (payload) => ({
        ...payload,
        accepted: { ...(payload.accepted as Json), asset: world.tokenOf('usdt') },
      }),
    ],
    [
      'a domain',
      'invalid_exact_evm_token_name_mismatch',
      (payload) => ({
        ...payload,
        accepted: { ...(payload.accepted as Json), extra: { name: 'USD Coin', version: '2' } },
      }),
    ],
    ...(
      [
        ['value', '1', 'invalid_exact_evm_payload_authorization_value_mismatch'],
        ['to', '0x00000000000000000000000000000000000000bb', 'invalid_exact_evm_payload_recipient_mismatch'],
        ['validBefore', '1', 'invalid_exact_evm_payload_authorization_valid_before'],
        ['validBefore', '99999999999', 'invalid_exact_evm_payload_authorization_valid_before'],
        ['validAfter', '99999999999', 'invalid_exact_evm_payload_authorization_valid_after'],
        ['nonce', '0x01', 'invalid_payload'],
        ['from', 'me', 'invalid_payload'],
        ['from', '0x00000000000000000000000000000000000000bb', 'insufficient_funds'],
        ['nonce', `0x${'12'.repeat(32)}`, 'invalid_exact_evm_payload_signature'],
      ] as const
    ).map(([name, value, reason]): [string, string, (payload: Json) => unknown] => [
      `${name} ${value}`,
      reason,
      (payload) => {
        const inner = payload.payload as { authorization: Json }
        return { ...payload, payload: { ...inner, authorization: { ...inner.authorization, [name]: value } } }
      },
    ]),
    ['no authorization', 'invalid_payload', (payload) => ({ ...payload, payload: { signature: '0x01' } })],
  ]

  test.each(cases)('error: %s: %s', async (_, reason, change) => {
    const { buyer, order, x402Url } = await open()
    const response = await send(x402Url, change(await sign(buyer, x402Url)))
    expect(response.status).toBe(402)
    expect(decode(response.headers.get('PAYMENT-RESPONSE'))).toMatchObject({
      success: false,
      errorReason: reason,
      errorMessage: expect.any(String),
      transaction: '',
    })
    const required = decode<Required>(response.headers.get('PAYMENT-REQUIRED'))
    expect(required).toMatchObject({ error: reason, accepts: [{ scheme: 'exact' }] })
    expect((await rowsOf(order.orderId)).filter(({ status }) => status !== 'refused')).toEqual([])
    expect(await world.balanceOf('usdc', buyer.address)).toBe(10n * printUnits)
  })

  test.each([
    ['no base64', '{}'],
    ['no JSON', Buffer.from('hello').toString('base64')],
    ['an older version', encode({ x402Version: 1 })],
    ['no accepted', encode({ x402Version: 2, payload: {} })],
    [
      'a short identifier',
      encode({
        x402Version: 2,
        accepted: { scheme: 'exact', network: 'eip155:84532', asset: '0x' },
        payload: {},
        extensions: { 'payment-identifier': { info: { id: 'short' } } },
      }),
    ],
  ])('error: input-invalid: %s', async (_, header) => {
    const { x402Url } = await open()
    const response = await fetch(x402Url, { method: 'POST', headers: { 'PAYMENT-SIGNATURE': header } })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('PAYMENT-SIGNATURE')
  })

  test('behavior: after a refusal, the right payment is taken', async () => {
    const { buyer, order, x402Url } = await open()
    const wrong = await sign(buyer, x402Url, { accepted: { amount: '1' } })
    expect((await send(x402Url, wrong)).status).toBe(402)
    expect((await send(x402Url, await sign(buyer, x402Url))).status).toBe(200)
    await expectPaidOnce(buyer, order.orderId)
  })
})

describe('once', () => {
  test('behavior: the same payment again is answered from its record', async () => {
    const { buyer, order, x402Url } = await open()
    const payload = await sign(buyer, x402Url)
    const first = await send(x402Url, payload)
    expect(first.status).toBe(200)
    await expectPaidOnce(buyer, order.orderId)
    const again = await send(x402Url, payload)
    expect(again.status).toBe(200)
    expect(again.headers.get('PAYMENT-RESPONSE')).toBe(first.headers.get('PAYMENT-RESPONSE'))
    await expectPaidOnce(buyer, order.orderId)
  })

  test('behavior: a paid order asks for nothing, and is answered as it is', async () => {
    const { buyer, order, x402Url } = await open()
    await wrapFetchWithPayment(fetch, clientOf(buyer))(x402Url)
    await world.waitFor(order.orderId, 'completed')
    const response = await fetch(x402Url)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ orderId: order.orderId, phase: 'completed' })
  })

  test('behavior: another payment is refused while one is on its way or has paid', async () => {
    const { buyer, order, x402Url } = await open()
    const [one, other] = [await sign(buyer, x402Url), await sign(buyer, x402Url)]
    const answers = await Promise.all([send(x402Url, one), send(x402Url, other)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    await expectPaidOnce(buyer, order.orderId)
    expect((await send(x402Url, await signLate(buyer, one))).status).toBe(409)
    await expectPaidOnce(buyer, order.orderId)
  })

  /** Signs the same payment under another nonce, as a client that lost its answer might. */
  const signLate = async (buyer: LocalAccount, { accepted, ...payload }: Awaited<ReturnType<typeof sign>>) =>
    clientOf(buyer).createPaymentPayload({
      x402Version: 2,
      resource: payload.resource,
      accepts: [accepted],
    } as never)

  test.each([1, 2, 3])('behavior: three at once with one signature pay once (%s)', async () => {
    const { buyer, order, x402Url } = await open()
    const payload = await sign(buyer, x402Url)
    const answers = await Promise.all([1, 2, 3].map(() => send(x402Url, payload)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const receipts = answers.map(({ headers }) => decode(headers.get('PAYMENT-RESPONSE')).transaction)
    expect(new Set(receipts).size).toBe(1)
    await expectPaidOnce(buyer, order.orderId)
  })

  test('behavior: the socket is cut after the send, and the same payment again has the answer', async () => {
    const { buyer, order, x402Url } = await open()
    const relayed = x402Url.replace(/:\d+\//, `:${world.relay.port}/`)
    const payload = await sign(buyer, x402Url)
    world.relay.state.dropAnswers = 1
    await expect(send(relayed, payload)).rejects.toThrow('fetch failed')
    const again = await send(relayed, payload)
    expect(again.status).toBe(200)
    expect(decode(again.headers.get('PAYMENT-RESPONSE'))).toMatchObject({ success: true })
    await expectPaidOnce(buyer, order.orderId)
  })

  test('behavior: a client that goes away while it is settled has paid once', async () => {
    const { buyer, order, x402Url } = await open()
    const payload = await sign(buyer, x402Url)
    const gone = new AbortController()
    const sending = send(x402Url, payload, gone.signal).catch(() => undefined)
    await expect.poll(() => rowsOf(order.orderId)).toHaveLength(1)
    gone.abort()
    await sending
    await expectPaidOnce(buyer, order.orderId)
    expect((await send(x402Url, payload)).status).toBe(200)
  })

  test('behavior: a plain request while a payment is on its way asks for no other one', async () => {
    const { buyer, order, x402Url } = await open()
    const payload = await sign(buyer, x402Url)
    const sending = send(x402Url, payload)
    await expect.poll(() => rowsOf(order.orderId)).toHaveLength(1)
    expect([200, 409]).toContain((await fetch(x402Url)).status)
    await sending
    await expectPaidOnce(buyer, order.orderId)
  })
})

describe('payment-identifier', () => {
  const id = () => `pay_${crypto.randomUUID()}`

  test('default: the same payment again gets the whole answer, byte for byte', async () => {
    const { buyer, order, x402Url } = await open()
    const payload = await sign(buyer, x402Url, { id: id() })
    const first = await send(x402Url, payload)
    const [header, text] = [first.headers.get('PAYMENT-RESPONSE'), await first.text()]
    expect(first.status).toBe(200)
    await expectPaidOnce(buyer, order.orderId)
    const again = await send(x402Url, payload)
    expect(again.status).toBe(200)
    expect(again.headers.get('PAYMENT-RESPONSE')).toBe(header)
    expect(await again.text()).toBe(text)
  })

  test('behavior: it is answered before anything is verified', async () => {
    const { buyer, order, x402Url } = await open()
    const payload = await sign(buyer, x402Url, { id: id() })
    const first = await send(x402Url, payload)
    const text = await first.text()
    await expectPaidOnce(buyer, order.orderId)
    // Neither the record of the authorization nor its time is looked at any more.
    await world.db.delete(authorizations).where(eq(authorizations.orderId, order.orderId))
    expect(await (await send(x402Url, payload)).text()).toBe(text)
  })

  test('error: conflict: another payment under the same identifier', async () => {
    const { buyer, order, x402Url } = await open()
    const name = id()
    const [one, other] = [await sign(buyer, x402Url, { id: name }), await sign(buyer, x402Url, { id: name })]
    expect((await send(x402Url, one)).status).toBe(200)
    const refused = await send(x402Url, other)
    expect(refused.status).toBe(409)
    expect(await refused.text()).toContain('identifier')
    await expectPaidOnce(buyer, order.orderId)
  })

  test('behavior: three at once get one answer', async () => {
    const { buyer, order, x402Url } = await open()
    const payload = await sign(buyer, x402Url, { id: id() })
    const answers = await Promise.all([1, 2, 3].map(() => send(x402Url, payload)))
    const texts = await Promise.all(answers.map((answer) => answer.text()))
    expect(new Set(texts).size).toBe(1)
    await expectPaidOnce(buyer, order.orderId)
  })

  test('behavior: a refusal is not kept', async () => {
    const { buyer, order, x402Url } = await open()
    const name = id()
    const wrong = await sign(buyer, x402Url, { id: name, accepted: { amount: '1' } })
    expect((await send(x402Url, wrong)).status).toBe(402)
    expect((await send(x402Url, await sign(buyer, x402Url, { id: name }))).status).toBe(200)
    await expectPaidOnce(buyer, order.orderId)
  })

  test('behavior: the stored answer is not readable in the database', async () => {
    const { buyer, x402Url, order } = await open()
    await send(x402Url, await sign(buyer, x402Url, { id: id() }))
    const rows = await world.db.select().from(idempotencyKeys)
    for (const { reply } of rows)
      expect(Buffer.from(reply ?? []).toString('latin1')).not.toContain(order.orderId)
  })
})

test('behavior: what the standard’s client reads of the settlement', async () => {
  const { buyer, x402Url } = await open()
  const http = new x402HTTPClient(clientOf(buyer))
  const response = await wrapFetchWithPayment(fetch, http)(x402Url, { method: 'POST' })
  expect(http.getPaymentSettleResponse((name) => response.headers.get(name))).toMatchObject({ success: true })
})
