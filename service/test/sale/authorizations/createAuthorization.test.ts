import { eq } from 'drizzle-orm'
import { createAuthorization as bringSigned, createOrder as createApiOrder, createClient } from 'kassa/api'
import type { CreateAuthorizationBody } from 'kassa/schema'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Config } from '#base/config/config.js'
import { authorizations } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { createAuthorization } from '#sale/authorizations/createAuthorization.js'
import { explainEndedAuthorization, settleAuthorization } from '#sale/authorizations/settleAuthorization.js'
import { getLedger } from '#sale/ledger/getLedger.js'
import { editOrder, refreshOrder } from '#sale/orders/requoteOrder.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createFakeAuthorizations } from '../../helpers/createFakeAuthorizations.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld, type OrderWorld, payerAddress } from '../../helpers/createOrderWorld.js'
import { createShop, orderBody, ordersPath, testPayer } from '../../helpers/createShop.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { readAnswer } from '../../helpers/readAnswer.js'
import { testConfig } from '../../helpers/testConfig.js'

const database = openBeforeAll(createTestDatabase)
const startMs = 1_800_000_000_000
const dayMs = 24 * 60 * 60_000

let nowMs: number
let chain: FakeChain
let fake: ReturnType<typeof createFakeAuthorizations>
let world: OrderWorld

const open = async (config: Partial<Config> = {}): Promise<void> => {
  await clearDatabase(database.db)
  nowMs = startMs
  chain = createFakeChain({ now: () => nowMs })
  fake = createFakeAuthorizations(chain, database.db)
  world = await createOrderWorld({ db: database.db, chains: [fake.port], now: () => nowMs, config })
  await world.createCollection({ id: 'tea' })
}
beforeEach(() => open())

const createOrder = async (change: Record<string, unknown> = {}) => {
  const payment = { method: 'base-sepolia', currency: 'usdc', payerAddress, ...change }
  return (await world.create({ lineItems: { collectionLocator: 'kassa:tea' }, payment })).order
}

const bodyOf = (nonce = '1', change: Partial<CreateAuthorizationBody> = {}): CreateAuthorizationBody => ({
  kind: 'erc3009',
  payerAddress,
  domain: {},
  message: { nonce },
  signature: '0x01',
  ...change,
})

const bring = (orderId: string, body = bodyOf(), deps: Deps = world.deps) =>
  createAuthorization(deps, world.secretCall(orderId), { orderId, body })

const rowsOf = (orderId: string) =>
  database.db.select().from(authorizations).where(eq(authorizations.orderId, orderId))

/** Runs the searches and the jobs, and asserts that the books are right. */
const settle = async (orderId: string) => {
  await world.look()
  await world.drain()
  const { differing } = await getLedger(world.deps)
  expect(differing).toEqual([])
  return world.get(orderId)
}

/** Ends the process at a point of the next write. */
const dieAt = (point: Parameters<typeof fake.state.at>[0]) => {
  fake.state.at = (here) => {
    if (here !== point) return
    fake.state.at = () => {}
    throw new Error(`killed: ${point}`)
  }
}

/** Has the job of an authorization take over from a process that has ended. */
const takeOver = async (orderId: string) => {
  nowMs += 20_000
  await world.drain()
  return settle(orderId)
}

describe('what an order says', () => {
  test('default: the shop pays the gas of a token, and has something to sign', async () => {
    const { payment } = await createOrder()
    expect(payment).toMatchObject({
      status: 'awaiting-payment',
      gas: 'shop',
      preparation: { authorization: { kind: 'erc3009' }, serializedTransaction: expect.any(String) },
    })
  })

  test('behavior: a payer without gas may sign, and is told to lack gas for a transaction', async () => {
    chain.state.funds = 'insufficient-funds-for-gas'
    const { payment } = await createOrder()
    expect(payment).toMatchObject({ status: 'crypto-payer-insufficient-funds-for-gas', gas: 'shop' })
    expect(payment.preparation).toHaveProperty('authorization')
    expect(payment.preparation).not.toHaveProperty('serializedTransaction')
  })

  test('behavior: a payer without the money has nothing to sign', async () => {
    chain.state.funds = 'insufficient-funds'
    const { payment } = await createOrder()
    expect(payment).not.toHaveProperty('gas')
    expect(payment.preparation).not.toHaveProperty('authorization')
  })

  test('parameters: KASSA_GASLESS: off, and for a coin, nothing is said', async () => {
    const coin = await createOrder({ currency: 'eth' })
    expect(coin.payment).not.toHaveProperty('gas')
    await open({ gasless: undefined })
    const { payment, orderId } = await createOrder()
    expect(payment).not.toHaveProperty('gas')
    expect(payment.preparation).not.toHaveProperty('authorization')
    await expect(bring(orderId)).rejects.toMatchObject({
      code: 'unprocessable',
      detail: { reason: 'unsupported_scheme' },
    })
  })

  test('behavior: the payer pays gas that is worth more than a part of the price', async () => {
    const port = { ...fake.port }
    const { preparePayment } = fake.port
    // A price of 30 USDC, of which the gas may be a tenth: 0.001 ETH.
    let fee = 10n ** 15n
    port.preparePayment = async (input) => {
      const prepared = await preparePayment(input)
      return prepared.sponsored ? { ...prepared, sponsored: { ...prepared.sponsored, fee } } : prepared
    }
    world.deps.chains = { enabled: ['base-sepolia'], get: () => port }
    expect((await createOrder()).payment).toMatchObject({ gas: 'shop' })
    fee += 10n ** 12n
    const { payment } = await createOrder()
    expect(payment).toMatchObject({ gas: 'payer' })
    expect(payment.preparation).not.toHaveProperty('authorization')
  })

  test('behavior: the payer pays gas whose worth no rate tells', async () => {
    world.deps.rates = { read: async () => ({ usd: { usdc: '1', eth: '3000' }, isAway: () => false }) }
    const { orderId } = await createOrder()
    world.deps.rates = { read: async () => ({ usd: { usdc: '1' }, isAway: () => false }) }
    await expect(bring(orderId)).rejects.toMatchObject({
      code: 'unprocessable',
      message: 'no rate tells what eth is worth in usdc',
    })
    expect(fake.state.sent).toEqual([])
  })
})

describe('one authorization', () => {
  test('default: it pays, and the order is delivered', async () => {
    const { orderId } = await createOrder()
    const answer = await bring(orderId)
    expect(answer).toMatchObject({
      orderId,
      kind: 'erc3009',
      payerAddress,
      status: 'settled',
      txId: expect.any(String),
    })
    const order = await settle(orderId)
    expect(order).toMatchObject({ phase: 'completed', payment: { status: 'completed' } })
    expect(order.payment.received).toMatchObject({ txId: answer.txId, payerAddress })
    expect(chain.sentOf('refund')).toEqual([])
  })

  test('behavior: where blocks are not final at once, it is answered once it is in one', async () => {
    const port = { ...fake.port, confirmations: 3 }
    world.deps.chains = { enabled: ['base-sepolia'], get: () => port }
    const { orderId } = await createOrder()
    let proceed = () => {}
    const final = new Promise<void>((resolve) => {
      proceed = resolve
    })
    fake.state.at = (point) => (point === 'landed' ? final : undefined)
    const answer = await bring(orderId)
    expect(answer).toMatchObject({ status: 'pending', txId: `0x${fake.state.sent[0]}` })
    proceed()
    await expect.poll(async () => (await rowsOf(orderId))[0]?.status).toBe('settled')
    expect(await settle(orderId)).toMatchObject({ phase: 'completed' })
  })

  test('behavior: the same one is answered again from its record, also once its time is over', async () => {
    const { orderId } = await createOrder()
    const answer = await bring(orderId)
    expect(await bring(orderId)).toEqual(answer)
    await settle(orderId)
    nowMs += dayMs
    fake.state.refused = { reason: 'invalid_payload', message: 'too late' }
    expect(await bring(orderId, bodyOf('1', { signature: '0x02' }))).toEqual(answer)
    // However its numbers and addresses are written.
    const capitals = payerAddress.toUpperCase().replace('0X', '0x')
    const sameAgain = bodyOf('1', { message: { nonce: 1 }, payerAddress: capitals })
    expect(await bring(orderId, sameAgain)).toEqual(answer)
    expect(fake.state.sent).toHaveLength(1)
  })

  test('behavior: two at once of the same are one', async () => {
    const { orderId } = await createOrder()
    const [one, other] = await Promise.all([bring(orderId), bring(orderId)])
    expect(one).toMatchObject({ status: 'settled', txId: expect.any(String) })
    expect(one).toEqual(other)
    expect(fake.state.sent).toHaveLength(1)
    expect(await rowsOf(orderId)).toHaveLength(1)
  })

  test('behavior: of two different ones at once, one pays', async () => {
    const { orderId } = await createOrder()
    const answers = await Promise.allSettled([bring(orderId, bodyOf('1')), bring(orderId, bodyOf('2'))])
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const refused = answers.find(({ status }) => status === 'rejected')
    expect(refused).toMatchObject({ reason: { code: 'conflict' } })
    expect(fake.state.sent).toHaveLength(1)
  })

  test('behavior: while one is on its way, and until its payment is seen, another is refused', async () => {
    const { orderId } = await createOrder()
    dieAt('signed')
    expect(await bring(orderId)).toMatchObject({ status: 'pending' })
    await expect(bring(orderId, bodyOf('2'))).rejects.toMatchObject({
      code: 'conflict',
      message: 'Another signed payment of this order is on its way: wait for its end',
    })
    nowMs += 20_000
    await world.drain()
    // It is settled now, and not seen.
    expect(await rowsOf(orderId)).toMatchObject([{ status: 'settled' }])
    await expect(bring(orderId, bodyOf('2'))).rejects.toMatchObject({ code: 'conflict' })
    await settle(orderId)
    await expect(bring(orderId, bodyOf('2'))).rejects.toMatchObject({ code: 'conflict' })
    expect(fake.state.sent).toHaveLength(1)
  })

  test('behavior: once its time is over, one that moved no money makes room for another', async () => {
    const { orderId } = await createOrder()
    dieAt('simulate')
    expect(await bring(orderId)).toMatchObject({ status: 'pending' })
    nowMs += 700_000
    await refreshOrder(world.deps, world.secretCall(orderId), { orderId })
    await world.drain()
    expect(await rowsOf(orderId)).toMatchObject([{ status: 'expired', txId: null }])
    expect(await bring(orderId)).toMatchObject({
      status: 'expired',
      reason: 'invalid_exact_evm_payload_authorization_valid_before',
    })
    expect(fake.state.sent).toEqual([])
    expect(await bring(orderId, bodyOf('2'))).toMatchObject({ status: 'settled' })
    expect(await settle(orderId)).toMatchObject({ phase: 'completed' })
  })

  test('behavior: one that a block refused has failed, and another may pay', async () => {
    const { orderId } = await createOrder()
    fake.state.revert = 'InvalidSignature'
    expect(await bring(orderId)).toMatchObject({ status: 'failed', txId: expect.any(String) })
    fake.state.revert = undefined
    expect(await bring(orderId)).toMatchObject({ status: 'failed' })
    expect(await bring(orderId, bodyOf('2'))).toMatchObject({ status: 'settled' })
    expect(await settle(orderId)).toMatchObject({ phase: 'completed' })
  })

  test('behavior: one that the chain refuses is not sent, and may be brought again', async () => {
    const { orderId } = await createOrder()
    const message = 'the payer holds 0 of the 30000000 base units to pay'
    fake.state.simulated = { status: 'refused', reason: 'insufficient_funds', message }
    const refusal = { code: 'unprocessable', message, detail: { reason: 'insufficient_funds', message } }
    await expect(bring(orderId)).rejects.toMatchObject(refusal)
    await expect(bring(orderId)).rejects.toMatchObject(refusal)
    expect(fake.state.simulations).toBe(2)
    fake.state.simulated = { status: 'ready', fee: 0n }
    const answer = await bring(orderId, bodyOf('1', { signature: '0x02' }))
    expect(answer).toMatchObject({ status: 'settled' })
    const [row] = await rowsOf(orderId)
    expect(row).toMatchObject({ attempt: 3, reason: null, signed: { signature: '0x02' } })
    expect(await settle(orderId)).toMatchObject({ phase: 'completed' })
  })

  test('behavior: gas that is worth too much of the price is not spent', async () => {
    const { orderId } = await createOrder()
    fake.state.simulated = { status: 'ready', fee: 10n ** 15n + 10n ** 12n }
    await expect(bring(orderId)).rejects.toMatchObject({ code: 'unprocessable', message: /network fee/ })
    expect(fake.state.sent).toEqual([])
    fake.state.simulated = { status: 'ready', fee: 10n ** 15n }
    expect(await bring(orderId)).toMatchObject({ status: 'settled' })
  })
})

describe.each(['simulate', 'signed', 'sent', 'landed'] as const)('a process that ends at: %s', (point) => {
  test('default: the money moves once, and the order is delivered', async () => {
    const { orderId } = await createOrder()
    dieAt(point)
    expect(await bring(orderId)).toMatchObject({ status: 'pending' })
    const order = await takeOver(orderId)
    expect(order).toMatchObject({ phase: 'completed', payment: { status: 'completed' } })
    expect(fake.state.sent).toHaveLength(1)
    expect(chain.sentOf('refund')).toEqual([])
    expect(await bring(orderId)).toMatchObject({ status: 'settled', txId: order.payment.received?.txId })
  })

  test('behavior: the same request, repeated by another process, settles it', async () => {
    const { orderId } = await createOrder()
    dieAt(point)
    await bring(orderId)
    const answer = await bring(orderId)
    expect(answer).toMatchObject({ status: 'settled' })
    expect(fake.state.sent).toHaveLength(1)
    const [row] = await rowsOf(orderId)
    await settleAuthorization(world.deps, row?.id ?? '')
    expect(await takeOver(orderId)).toMatchObject({ phase: 'completed' })
    expect(fake.state.sent).toHaveLength(1)
  })
})

describe('an order that changes', () => {
  test('behavior: an authorization of an earlier price is accepted at that price', async () => {
    const { orderId } = await createOrder()
    let eth = '3000'
    world.deps.rates = { read: async () => ({ usd: { usdc: '1', eth }, isAway: () => false }) }
    fake.state.at = async (point) => {
      if (point !== 'signed') return
      eth = '6000'
      await refreshOrder(world.deps, world.secretCall(orderId), { orderId })
    }
    expect(await bring(orderId)).toMatchObject({ status: 'settled' })
    const order = await settle(orderId)
    expect(order).toMatchObject({ phase: 'completed', payment: { received: { amount: '30' } } })
    expect(chain.sentOf('refund')).toEqual([])
  })

  test('behavior: one that is stored is not signed once the order is to be paid in another currency', async () => {
    const { orderId } = await createOrder()
    fake.state.at = async (point) => {
      if (point !== 'simulate') return
      const body = { payment: { method: 'base-sepolia' as const, currency: 'eth', payerAddress } }
      await editOrder(world.deps, world.secretCall(orderId), { orderId, body })
    }
    await expect(bring(orderId)).rejects.toMatchObject({
      code: 'unprocessable',
      detail: { reason: 'invalid_payment_requirements' },
    })
    expect(fake.state.sent).toEqual([])
  })

  test('behavior: one that is stored is not signed once its time is over', async () => {
    const { orderId } = await createOrder()
    fake.state.at = (point) => {
      if (point === 'simulate') nowMs += 600_000
    }
    expect(await bring(orderId)).toMatchObject({ status: 'expired' })
    expect(fake.state.sent).toEqual([])
  })

  test('behavior: money that arrives for another currency goes back', async () => {
    const { orderId } = await createOrder()
    fake.state.at = async (point) => {
      if (point !== 'signed') return
      const body = { payment: { method: 'base-sepolia' as const, currency: 'eth', payerAddress } }
      await editOrder(world.deps, world.secretCall(orderId), { orderId, body })
    }
    expect(await bring(orderId)).toMatchObject({ status: 'settled' })
    await settle(orderId)
    expect(chain.sentOf('refund')).toMatchObject([{ input: { currency: 'usdc', recipient: payerAddress } }])
  })

  test('error: an order that was paid, and one whose quote has ended', async () => {
    const { orderId } = await createOrder()
    chain.pay({ orderId, currency: 'usdc', units: 30_000_000n })
    await world.look()
    await expect(bring(orderId)).rejects.toMatchObject({ code: 'conflict' })
    const late = await createOrder()
    nowMs += 700_000
    await expect(bring(late.orderId)).rejects.toMatchObject({ code: 'conflict' })
    expect(fake.state.sent).toEqual([])
  })

  test('behavior: a payment by a transaction beside it goes back', async () => {
    const { orderId } = await createOrder()
    await bring(orderId)
    chain.pay({ orderId, currency: 'usdc', units: 30_000_000n, payer: payerAddress })
    expect(await settle(orderId)).toMatchObject({ phase: 'completed' })
    expect(chain.sentOf('refund')).toMatchObject([{ input: { units: 30_000_000n } }])
  })
})

describe('callers', () => {
  test('error: another order, another secret, a key without the scope', async () => {
    const { orderId } = await createOrder()
    const other = await createOrder()
    const body = bodyOf()
    const strange = createAuthorization(world.deps, world.secretCall(other.orderId), { orderId, body })
    await expect(strange).rejects.toMatchObject({ code: 'not-found' })
    const { actor, ...call } = world.serverCall
    if (actor.kind !== 'server-key') throw new Error('no server key')
    const weak = { ...call, actor: { ...actor, scopes: ['orders.read' as const] } }
    await expect(createAuthorization(world.deps, weak, { orderId, body })).rejects.toMatchObject({
      code: 'forbidden',
    })
    const unknown = '11111111-1111-4111-8111-111111111111'
    await expect(
      createAuthorization(world.deps, world.serverCall, { orderId: unknown, body }),
    ).rejects.toMatchObject({ code: 'not-found' })
    expect(await createAuthorization(world.deps, world.serverCall, { orderId, body })).toMatchObject({
      status: 'settled',
    })
  })

  test('error: what does not agree with the order is not stored', async () => {
    const { orderId } = await createOrder()
    const message = 'message.to: expected another'
    fake.state.refused = { reason: 'invalid_exact_evm_payload_recipient_mismatch', message }
    await expect(bring(orderId)).rejects.toMatchObject({
      code: 'unprocessable',
      detail: { reason: 'invalid_exact_evm_payload_recipient_mismatch', message },
    })
    expect(await rowsOf(orderId)).toEqual([])
  })

  test('error: a sanctioned payer', async () => {
    await open({ sanctionedAddresses: new Set([payerAddress]) })
    const { orderId } = await createOrder()
    await expect(bring(orderId)).rejects.toMatchObject({
      code: 'unprocessable',
      detail: { reason: 'sanctioned_wallet_address' },
    })
  })

  test('behavior: while the node is away, nothing is lost', async () => {
    const { orderId } = await createOrder()
    fake.state.at = () => {
      fake.state.at = () => {}
      chain.state.isAway = true
      throw new Error('the node is away')
    }
    expect(await bring(orderId)).toMatchObject({ status: 'pending' })
    chain.state.isAway = false
    expect(await takeOver(orderId)).toMatchObject({ phase: 'completed' })
  })
})

describe('the caps of a day', () => {
  const gasless = {
    ...(testConfig.gasless ?? { maxFeeBasisPoints: 1_000 }),
    perOrder: 2,
    perPayer: 50,
    perProject: 50,
    perChain: 50,
  }

  test('behavior: what was refused or never sent is not counted, and what failed is', async () => {
    await open({ gasless })
    const { orderId } = await createOrder()
    fake.state.simulated = { status: 'refused', reason: 'insufficient_funds', message: 'none' }
    for (const nonce of ['1', '2', '3']) {
      await expect(bring(orderId, bodyOf(nonce))).rejects.toMatchObject({ code: 'unprocessable' })
    }
    fake.state.simulated = { status: 'ready', fee: 0n }
    fake.state.revert = 'reverted'
    for (const nonce of ['1', '2'])
      expect(await bring(orderId, bodyOf(nonce))).toMatchObject({ status: 'failed' })
    await expect(bring(orderId, bodyOf('3'))).rejects.toMatchObject({
      code: 'rate-limited',
      message: /^Too many signed payments today: the shop sends 2 a day of one order/,
    })
    nowMs += dayMs
    fake.state.revert = undefined
    await refreshOrder(world.deps, world.secretCall(orderId), { orderId })
    expect(await bring(orderId, bodyOf('4'))).toMatchObject({ status: 'settled' })
  })
})

test('behavior: a write is undue once the time of its authorization is over', async () => {
  const { orderId } = await createOrder()
  await bring(orderId)
  const [row] = await rowsOf(orderId)
  const key = `authorization:${orderId}:${row?.content}`
  expect(fake.state.sent).toEqual([key])
  const explain = (of: string, atMs: number) => explainEndedAuthorization(database.db, of, atMs)
  expect(await explain(key, nowMs)).toBeUndefined()
  expect(await explain(key, nowMs + 700_000)).toBe('the time of the signed payment is over')
  expect(await explain(`mint:${orderId}:0`, nowMs + 700_000)).toBeUndefined()
  expect(await explain(`authorization:${orderId}:other`, nowMs + 700_000)).toBeUndefined()
})

describe('over HTTP', () => {
  const openShop = async () => {
    const memory = createFakeChain({ now: () => nowMs })
    const signing = createFakeAuthorizations(memory, database.db)
    const shop = await createShop({ chains: [signing.port], database, nowMs })
    const payment = { method: 'base-sepolia', currency: 'usdc', payerAddress: testPayer } as const
    const { order, clientSecret } = await createApiOrder(shop.client, { body: { ...orderBody, payment } })
    return { shop, signing, orderId: order.orderId, clientSecret }
  }

  test('default: the client secret opens it, and the same request is answered again', async () => {
    const { shop, orderId, clientSecret } = await openShop()
    const client = createClient({
      baseUrl: 'http://localhost/api',
      fetch: async (input, init) => shop.app.request(String(input), init),
    })
    const body = bodyOf('1', { payerAddress: testPayer })
    const idempotencyKey = crypto.randomUUID()
    const bringIt = () => bringSigned(client, { orderId, clientSecret, body, idempotencyKey })
    const answer = await bringIt()
    expect(answer).toMatchObject({ status: 'settled', payerAddress: testPayer })
    expect(await bringIt()).toEqual(answer)
    await expect(
      bringSigned(client, { orderId, clientSecret: `${clientSecret.slice(0, -1)}x`, body }),
    ).rejects.toMatchObject({ code: 'api.unauthorized' })
    await shop.close()
  })

  test('error: a refusal has its reason, and bad input the name of its field', async () => {
    const { shop, signing, orderId } = await openShop()
    const path = `${ordersPath}/${orderId}/authorizations`
    const ask = async (body: unknown) => {
      const response = await shop.send('POST', path, { body })
      return { status: response.status, body: await readAnswer(response).then((text) => JSON.parse(text)) }
    }
    const message = 'message.to: expected another'
    signing.state.refused = { reason: 'invalid_exact_evm_payload_recipient_mismatch', message }
    expect(await ask(bodyOf('1', { payerAddress: testPayer }))).toEqual({
      status: 422,
      body: { error: { reason: 'invalid_exact_evm_payload_recipient_mismatch', message }, message },
    })
    const wrong: [object, RegExp][] = [
      [{ kind: 'erc20' }, /^kind: expected erc3009, permit, permit2/],
      [{ payerAddress: '0x12' }, /^payerAddress: expected an EVM address/],
      [{ signature: '0xabc' }, /^signature: expected 0x and whole bytes in hex/],
      [{ signature: `0x${'ab'.repeat(8193)}` }, /^signature: expected at most 8 KiB/],
      [{ message: 'pay' }, /^message: /],
      [{ domain: { name: 'x'.repeat(17_000) } }, /^domain: expected at most 16 KiB/],
      [{ amount: '1' }, /amount/],
    ]
    for (const [change, fault] of wrong) {
      const { status, body } = await ask({ ...bodyOf(), ...change })
      expect({ status, message: body.message }).toEqual({
        status: 400,
        message: expect.stringMatching(fault),
      })
    }
    await shop.close()
  })
})
