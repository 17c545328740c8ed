import { beforeAll, describe, expect, test } from 'vitest'
import type { Connection } from '#adapters/chains/solana/connection/connect.js'
import { createOpeningLimit } from '#adapters/chains/solana/payments/openOrderTokens.js'
import type { Call } from '#base/call.js'
import { type AdvanceName, type AdvanceScope, advances } from '#base/config/advances.js'
import type { Config } from '#base/config/config.js'
import { mails, solanaTransactions } from '#base/db/tables/index.js'
import { createAuthorization } from '#sale/authorizations/createAuthorization.js'
import { listHeldRefunds } from '#sale/orders/listHeldRefunds.js'
import { listPaymentOptions } from '#sale/orders/listPaymentOptions.js'
import { editOrder } from '#sale/orders/requoteOrder.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createFakeAuthorizations } from '../../helpers/createFakeAuthorizations.js'
import { createFakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld, payerAddress } from '../../helpers/createOrderWorld.js'
import { createShop, orderBody, ordersPath } from '../../helpers/createShop.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { testConfig } from '../../helpers/testConfig.js'

/** What became of those up to the cap, and what is said of the next one. */
type Walked = { done: number; next: string }
type Walk = (cap: number) => Promise<Walked>

const cap = 4
/** The allowance of a project of which one network's part is the cap. */
const quartered = (count: number) => count * 4
const nowMs = 1_800_000_000_000
const hourMs = 60 * 60_000
const database = openBeforeAll(createTestDatabase)
const address = (at: number) => `0x${(at + 256).toString(16).padStart(40, '0')}`

type Limits = Partial<Config['limits']>
type ShopSend = Awaited<ReturnType<typeof createShop>>['send']
type Order = { path: string; clientSecret: string }

/** Sends requests of a browser until one is refused. */
const overHttp = async (
  limits: Limits,
  request: (
    send: ShopSend,
    headers: Record<string, string>,
    orders: Order[],
    clientKey: string,
  ) => Promise<Response>,
  { of = 'network', count = cap }: { of?: 'network' | 'project' | 'order'; count?: number } = {},
): Promise<Walked> => {
  const shop = await createShop({
    config: { limits: { ...testConfig.limits, ...limits }, isBehindProxy: true },
  })
  const orders: Order[] = []
  for (let at = 0; at <= count; at++) orders.push(await shop.createOrder())
  let done = 0
  for (let at = 0; at <= count; at++) {
    const network = of === 'network' ? 1 : at + 1
    const own = of === 'order' ? orders.slice(0, 1) : orders.slice(at)
    const response = await request(
      shop.send,
      { 'x-forwarded-for': `198.51.100.${network}` },
      own,
      shop.clientKey,
    )
    if (response.status === 429) {
      const { message } = (await response.json()) as { message: string }
      await shop.close()
      return { done, next: message }
    }
    expect(response.status).toBeLessThan(300)
    done++
  }
  throw new Error('no request was refused')
}

const createdBy: Parameters<typeof overHttp>[1] = (send, headers, _orders, key) =>
  send('POST', ordersPath, { body: orderBody, headers, key })
const withSecret =
  (method: string, suffix: string): Parameters<typeof overHttp>[1] =>
  (send, headers, [order]) =>
    send(method, `${order?.path}${suffix}`, {
      key: null,
      headers: { ...headers, authorization: order?.clientSecret ?? '' },
      ...(method === 'POST' && { body: {} }),
    })

const openWorld = async (config: Partial<Config>) => {
  await clearDatabase(database.db)
  await database.executeSql('truncate rate_limits')
  const chain = createFakeChain({ now: () => nowMs })
  const world = await createOrderWorld({ db: database.db, chains: [chain.port], now: () => nowMs, config })
  await world.createCollection({ id: 'gift', price: '0' })
  await world.createCollection({ id: 'tea' })
  const stranger = (network: string): Call => ({
    actor: { kind: 'client-key', keyId: 'public', projectId: world.projectId, scopes: ['orders.create'] },
    client: { network },
    complete: async () => {},
  })
  return { world, chain, stranger }
}

/** Claims one free token after another until one is refused. */
const claim = async (claims: Config['claims'], networkOf: (at: number) => string): Promise<Walked> => {
  const { world, stranger, chain } = await openWorld({ claims })
  const lineItems = { collectionLocator: 'kassa:gift' }
  const free = { lineItems, payment: { method: 'base-sepolia', currency: 'eth' } }
  for (let at = 0; ; at++) {
    // Every second one is claimed by naming its recipient later, as a client of the plain interface does.
    const call = stranger(networkOf(at))
    const recipient = { walletAddress: address(at) }
    const claimed: Promise<unknown> =
      at % 2 === 0
        ? world.create({ ...free, recipient }, call)
        : world
            .create({ ...free, recipient: undefined }, call)
            .then(({ order: { orderId } }) =>
              editOrder(
                world.deps,
                { ...world.secretCall(orderId), client: call.client },
                { orderId, body: { recipient } },
              ),
            )
    const refusal = await claimed.then(
      () => undefined,
      (error: Error) => error,
    )
    if (!refusal) continue
    expect(refusal).toMatchObject({ code: 'rate-limited', retryAfterSeconds: expect.any(Number) })
    await world.drain()
    expect(chain.sentOf('mint')).toHaveLength(at)
    return { done: at, next: refusal.message }
  }
}

/** Pays half a price, once for each payer, after the quote of its order has ended. */
const refundTo = async (refunds: Partial<Config['refunds']>, payerOf: (at: number) => string) => {
  const { world, chain } = await openWorld({ refunds: { ...testConfig.refunds, ...refunds } })
  for (let at = 0; at <= cap; at++) {
    const { orderId } = (await world.create({ lineItems: { collectionLocator: 'kassa:tea' } })).order
    chain.pay({ orderId, currency: 'eth', units: 5n * 10n ** 15n, payer: payerOf(at) })
    await world.look()
    await world.endQuote(orderId)
  }
  await world.drain()
  const held = await listHeldRefunds(database.db)
  expect(held).toHaveLength(1)
  return { done: chain.sentOf('refund').length, next: held[0]?.why ?? '' }
}

/** Brings signed payments that a block refuses until one is refused before. */
const bringSigned = async (
  caps: Partial<NonNullable<Config['gasless']>>,
  { payerOf = address, isOneOrder = false }: { payerOf?: (at: number) => string; isOneOrder?: boolean } = {},
): Promise<Walked> => {
  await clearDatabase(database.db)
  const fake = createFakeAuthorizations(createFakeChain({ now: () => nowMs }), database.db)
  fake.state.revert = 'reverted'
  const most = { maxFeeBasisPoints: 1_000, perOrder: 99, perPayer: 99, perProject: 99, perChain: 99 }
  const world = await createOrderWorld({
    db: database.db,
    chains: [fake.port],
    now: () => nowMs,
    config: { gasless: { ...most, ...caps } },
  })
  await world.createCollection({ id: 'tea' })
  let orderId = ''
  for (let at = 0; ; at++) {
    const payerAddress = payerOf(at)
    if (!isOneOrder || at === 0) {
      const payment = { method: 'base-sepolia', currency: 'usdc', payerAddress }
      const lineItems = { collectionLocator: 'kassa:tea' }
      orderId = (await world.create({ lineItems, payment })).order.orderId
    }
    const message = { nonce: `${at}` }
    const body = { kind: 'erc3009' as const, payerAddress, domain: {}, message, signature: '0x01' }
    const refusal = await createAuthorization(world.deps, world.secretCall(orderId), { orderId, body }).then(
      () => undefined,
      (error: Error) => error,
    )
    if (!refusal) continue
    expect(refusal).toMatchObject({ code: 'rate-limited', retryAfterSeconds: expect.any(Number) })
    expect(fake.state.sent).toHaveLength(at)
    return { done: at, next: refusal.message }
  }
}

/** Opens accounts of orders on Solana until one is refused. */
const openAccounts = async (
  caps: { perProject: number; perChain: number },
  of: (at: number) => { projectId: string; network: string },
): Promise<Walked> => {
  await database.executeSql('truncate rate_limits, solana_transactions')
  const send = (value: unknown) => ({ send: async () => value })
  const rpc = {
    getBalance: () => send({ value: 10n ** 12n }),
    getMinimumBalanceForRentExemption: () => send(2_000_000n),
  }
  const connection = { rpc, operator: { address: 'operator' } } as unknown as Connection
  const log = { error: () => {} }
  const limit = createOpeningLimit({ db: database.db, chain: 'solana' }, caps, log)
  for (let at = 0; ; at++) {
    const { projectId, network } = of(at)
    const opened = limit(connection, { projectId, network, currency: 'usdc' }, async () => {
      await database.db.insert(solanaTransactions).values({
        key: `solana:open:order-${at}:mint:0:${projectId}`,
        chain: 'solana',
        signedTransaction: 'AA==',
        signature: `${at}`,
        lastValidBlockHeight: 1n,
        status: 'succeeded',
        slot: 1n,
      })
    })
    const refusal = await opened.then(
      () => undefined,
      (error: Error) => error,
    )
    if (!refusal) continue
    expect(refusal).toMatchObject({ code: 'rate-limited' })
    return { done: at, next: refusal.message }
  }
}

/** How each cap of the table is reached. A row or a cap without one does not compile. */
const walks: {
  [Name in AdvanceName]: Record<keyof ReturnType<(typeof advances)[Name]['caps']> & AdvanceScope, Walk>
} = {
  orderWrites: {
    network: (count) => overHttp({ clientWritesPerMinute: quartered(count) }, createdBy),
    project: (count) => overHttp({ clientWritesPerMinute: count }, createdBy, { of: 'project' }),
  },
  secretWrites: {
    network: (count) => overHttp({ addressSecretWritesPerMinute: count }, withSecret('POST', '/refresh')),
    order: (count) =>
      overHttp({ secretWritesPerMinute: count }, withSecret('POST', '/refresh'), { of: 'order' }),
  },
  secretReads: {
    network: (count) => overHttp({ addressSecretReadsPerMinute: count }, withSecret('GET', '')),
    order: (count) => overHttp({ secretReadsPerMinute: count }, withSecret('GET', ''), { of: 'order' }),
  },
  balances: {
    network: async (count) => {
      const limits = { ...testConfig.limits, addressSecretReadsPerMinute: count * 2 }
      const { world } = await openWorld({ limits })
      const { orderId } = (await world.create({ lineItems: { collectionLocator: 'kassa:tea' } })).order
      const call = { ...world.secretCall(orderId), client: { network: 'one' } }
      for (let at = 0; ; at++) {
        const [option] = await listPaymentOptions(world.deps, call, { orderId, payerAddress: address(at) })
        expect(option).toMatchObject({ amount: '0.01' })
        if (option?.balance === null) return { done: at, next: 'left out' }
      }
    },
  },
  claims: {
    network: (count) => claim({ perNetworkPerHour: count, perProjectPerHour: 1_000 }, () => 'one'),
    project: (count) =>
      claim({ perNetworkPerHour: 1_000, perProjectPerHour: count }, (at) => `network ${at}`),
  },
  claimMails: {
    recipient: async (count) => {
      const { world, stranger } = await openWorld({})
      for (let at = 0; at <= count; at++) {
        await world.create(
          {
            lineItems: { collectionLocator: 'kassa:gift' },
            recipient: { email: 'ada@example.com' },
            payment: { method: 'base-sepolia', currency: 'eth' },
            gift: { giverName: 'Your account is locked: call us', note: 'At once' },
          },
          stranger(`network ${at}`),
        )
        await world.drain()
      }
      const sent = await database.db.select().from(mails)
      // What the stranger wrote is in none.
      expect(JSON.stringify(sent)).not.toContain('locked')
      return { done: sent.length, next: 'left out' }
    },
  },
  openings: {
    network: (count) =>
      openAccounts({ perProject: quartered(count), perChain: 1_000 }, () => ({
        projectId: 'p',
        network: 'one',
      })),
    project: (count) =>
      openAccounts({ perProject: count, perChain: 1_000 }, (at) => ({ projectId: 'p', network: `n${at}` })),
    chain: (count) =>
      openAccounts({ perProject: 1_000, perChain: count }, (at) => ({ projectId: `p${at}`, network: 'one' })),
  },
  authorizations: {
    order: (count) => bringSigned({ perOrder: count }, { payerOf: () => payerAddress, isOneOrder: true }),
    payer: (count) => bringSigned({ perPayer: count }, { payerOf: () => payerAddress }),
    project: (count) => bringSigned({ perProject: count }),
    chain: (count) => bringSigned({ perChain: count }),
  },
  refunds: {
    payer: (count) => refundTo({ perPayerPerHour: count }, () => payerAddress),
    project: (count) => refundTo({ perProjectPerHour: count }, address),
  },
}

const rows = Object.entries(walks).flatMap(([name, scopes]) =>
  Object.entries<Walk>(scopes).map(([scope, walk]) => ({
    name: name as AdvanceName,
    scope: scope as AdvanceScope,
    walk,
  })),
)

describe('what a stranger makes the operator pay in advance', () => {
  const words = {
    refused: /too many|can claim/i,
    held: /^over the .*cap of/,
    'left out': /left out/,
  }

  test.each(rows)(
    '$name of one $scope: up to the cap goes, and the next does not',
    async ({ name, scope, walk }) => {
      const { over } = advances[name]
      // The number of mails to a recipient is no setting.
      const most = name === 'claimMails' ? advances.claimMails.caps().recipient : cap
      const { done, next } = await walk(most)
      expect({ scope, done }).toEqual({ scope, done: most })
      expect(next).toMatch(words[over])
    },
  )

  test('behavior: every cap of the table is walked, and is finite by default', () => {
    for (const [name, { caps }] of Object.entries(advances) as [
      AdvanceName,
      { caps: (config: Config) => object },
    ][]) {
      const found = caps(testConfig)
      expect(Object.keys(found).sort()).toEqual(Object.keys(walks[name]).sort())
      for (const most of Object.values(found)) expect(Number.isFinite(most)).toBe(true)
    }
  })
})

describe('a claim', () => {
  const free = { lineItems: { collectionLocator: 'kassa:gift', callData: { quantity: 3 } } }
  const claims = { perNetworkPerHour: 5, perProjectPerHour: 5 }
  const asked = { ...free, payment: { method: 'base-sepolia', currency: 'eth' } }
  let opened: Awaited<ReturnType<typeof openWorld>>
  beforeAll(async () => {
    opened = await openWorld({ claims })
  })

  test('behavior: tokens count, what waits for a claim does not, and a merchant’s server has no cap', async () => {
    const { world, stranger } = opened
    await world.create(asked, stranger('one'))
    const refused = {
      code: 'rate-limited',
      message: 'lineItems: your network can claim 5 free tokens an hour. Claim fewer, or try again later.',
      retryAfterSeconds: hourMs / 1000,
    }
    await expect(world.create(asked, stranger('one'))).rejects.toMatchObject(refused)
    // Nothing was counted of it: two are left, and an order without a recipient is none.
    await world.create({ ...asked, recipient: undefined }, stranger('one'))
    const two = { lineItems: { collectionLocator: 'kassa:gift', callData: { quantity: 2 } } }
    await world.create({ ...asked, ...two }, stranger('one'))
    await expect(world.create({ ...asked, ...two }, stranger('another'))).rejects.toMatchObject({
      message: expect.stringContaining('this shop can claim 5'),
    })
    for (let count = 0; count < 5; count++) await world.create(asked)
  })
})
