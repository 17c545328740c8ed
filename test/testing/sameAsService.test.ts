import { concatHex, formatEther, pad, parseEther, parseTransaction } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { createClient, putCollection, waitForAction } from '../../src/api/index.js'
import type { Order, QuotedPaymentOption } from '../../src/schema/index.js'
import type { Shop } from '../helpers/createShop.js'
import { useShop } from '../helpers/useShop.js'
import {
  type Answer,
  type Call,
  createDunesService,
  member,
  openReal,
  openTest,
  type World as Service,
  sale,
} from './twoServices.js'

/** A service, real or not, and a buyer who pays there. */
type World = Service & {
  payer: string
  /** An account without any money. */
  pauper: string
  pay(order: Order, amount: bigint): Promise<void>
  /** Pays through a contract, as an exchange does. */
  payByContract(order: Order, amount: bigint): Promise<void>
  /** Lets the chain have a block of the service's present time. */
  passBlocks(): Promise<void>
}

const pauper = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'

const exchange = '0x00000000000000000000000000000000000e0001'
/** Passes on the call after the address in the first word of its data, with its coins. */
const batcherCode = '0x36600557005b602036038060205f375f5f825f345f355af1601e575f5ffd5b00'

const openRealShop = async (shop: Shop): Promise<World> => {
  const payer = await shop.world.createPayer()
  const { baseUrl, serverKey, fetch } = shop.address
  const merchant = createClient({ baseUrl, apiKey: serverKey, fetch })
  const metadata = { name: 'Dunes', description: 'Sand at dusk', imageUrl: 'ipfs://picture' }
  const chain = 'base-sepolia' as const
  const body = { chain, metadata, payments: { price: '0.01', currency: 'eth' }, sale }
  const { actionId = '' } = await putCollection(merchant, { collectionId: 'drop', body })
  await waitForAction(merchant, { actionId })
  return {
    ...openReal(shop),
    payer: payer.address,
    pauper,
    pay: async (order, value) => {
      await payer.pay(order.payment.preparation?.serializedTransaction ?? '', { value })
    },
    payByContract: async (order, value) => {
      await shop.world.client.setCode({ address: exchange, bytecode: batcherCode })
      const { to, data = '0x' } = parseTransaction(
        order.payment.preparation?.serializedTransaction as `0x02${string}`,
      )
      const serializedTransaction = await payer.sign({
        to: exchange,
        data: concatHex([pad(to ?? '0x'), data]),
        value,
      })
      const hash = await shop.world.client.sendRawTransaction({ serializedTransaction })
      await shop.world.client.waitForTransactionReceipt({ hash })
    },
    passBlocks: async () => {
      const timestamp = BigInt(Math.ceil(shop.service.deps.now() / 1_000) + 1)
      await shop.world.client.setNextBlockTimestamp({ timestamp })
      await shop.world.client.mine({ blocks: 1 })
    },
  }
}

const openTestShop = (): World => {
  const service = createDunesService()
  for (const currency of ['eth', 'usdc', 'usdxm']) service.setBalance(pauper, currency, '0')
  const payer = '0x9F3b6b1C0a4e2cF6d1B27F4E5cD0A1b2C3d4E5F6'.toLowerCase()
  for (const currency of ['usdc', 'usdxm']) service.setBalance(payer, currency, '0')
  return {
    ...openTest(service),
    payer,
    pauper,
    pay: async ({ orderId }, value) => {
      service.pay(orderId, { amount: formatEther(value) })
    },
    payByContract: async ({ orderId }, value) => {
      service.pay(orderId, { amount: formatEther(value), payerAddress: exchange, isContract: true })
    },
    passBlocks: async () => service.advance(1_000),
  }
}

/** What differs from one service to another though they do the same. */
const hide = (text: string): unknown => {
  if (text.startsWith('0x02') && text.length > 66) {
    const { chainId, value, data } = parseTransaction(text as `0x02${string}`)
    return { chainId, value, call: data?.slice(0, 10) }
  }
  return text
    .replace(/0x[0-9a-fA-F]{64}/g, '<hash>')
    .replace(/0x[0-9a-fA-F]{40}/g, '<address>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replace(/cs_[\w-]+/g, '<secret>')
}

/** An answer without what differs by chance. */
const normalise = (value: unknown): unknown => {
  if (typeof value === 'string') return hide(value)
  if (Array.isArray(value)) return value.map(normalise)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      // The test service sells nothing by x402.
      .filter(([key]) => key !== 'x402Url')
      .map(([key, inner]) => [key, normalise(inner)]),
  )
}

const describeState = ({ phase, payment, lineItems }: Order): string =>
  [phase, payment.status, ...lineItems.map(({ delivery }) => delivery.status)].join(' ')

/** Talks to a service, and writes down what it said. */
const openLog = (world: World) => {
  const log: [step: string, answer: unknown][] = []
  const send = async (path: string, { method = 'GET', body, text, headers }: Call): Promise<Answer> => {
    const sent = text ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await world.fetch(`${world.baseUrl}/2022-06-09/orders${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(sent !== undefined && { body: sent }),
    })
    const answered = await response.text()
    return { status: response.status, body: answered ? JSON.parse(answered) : undefined }
  }
  const call = async (step: string, path: string, options: Call = {}): Promise<Answer> => {
    const answer = await send(path, options)
    log.push([step, normalise(answer)])
    return answer
  }
  const create = async (step: string, body: unknown, headers: Record<string, string> = {}) => {
    const answer = await call(step, '', {
      method: 'POST',
      body,
      headers: { 'x-api-key': world.serverKey, ...headers },
    })
    const { order, clientSecret } = answer.body as { order: Order; clientSecret: string }
    return { order, path: `/${order?.orderId}`, secret: { authorization: clientSecret } }
  }
  /** Follows an order to a state, and tells every state on the way. */
  const follow = async (
    { order: created, path, secret }: Awaited<ReturnType<typeof create>>,
    isMet: (order: Order) => boolean,
  ): Promise<string[]> => {
    const states = [describeState(created)]
    for (;;) {
      const order = (await send(path, { headers: secret })).body as Order
      const state = describeState(order)
      if (states.at(-1) !== state) states.push(state)
      if (isMet(order)) return states
      await world.wait()
    }
  }
  return { log, call, create, follow, send }
}

const shop = useShop()
let worlds: [real: World, tested: World]
beforeAll(async () => {
  worlds = [await openRealShop(shop), openTestShop()]
})

/** Does the same to both services, and compares what they said. */
const compare = async (act: (world: World, log: ReturnType<typeof openLog>) => Promise<void>) => {
  const [real, tested] = worlds.map((world) => ({ world, log: openLog(world) }))
  if (!real || !tested) throw new Error('two worlds')
  await act(real.world, real.log)
  await act(tested.world, tested.log)
  expect(real.log.log.length).toBeGreaterThan(0)
  expect(tested.log.log).toEqual(real.log.log)
}

const payment = { method: 'base-sepolia', currency: 'eth' }
const lineItems = { collectionLocator: 'kassa:dunes' }
const bodyOf = ({ payer }: World) => ({
  recipient: { walletAddress: payer },
  payment: { ...payment, payerAddress: payer },
  lineItems,
})

test('behavior: an order is completed step by step, and takes the same states', () =>
  compare(async (world, { create, call }) => {
    const { path, secret } = await create('bare', { payment, lineItems, metadata: { cart: [1, 'two'] } })
    const edit = (step: string, body: unknown) => call(step, path, { method: 'PATCH', headers: secret, body })
    await call('read', path, { headers: secret })
    await call('report on an unpaid one', `${path}/payment`, {
      method: 'POST',
      headers: secret,
      body: { type: 'crypto-tx-id', txId: `0x${'1'.repeat(64)}` },
    })
    await edit('recipient', { recipient: { email: 'ada@example.com' }, locale: 'de-DE' })
    await edit('a locale without a translation', { locale: 'tlh' })
    await edit('payer', { payment: { ...payment, payerAddress: world.payer } })
    await edit('currency', { payment: { ...payment, currency: 'USDC', payerAddress: world.pauper } })
    await edit('a payer without money', { payment: { ...payment, payerAddress: world.pauper } })
    await edit('a wallet', { recipient: { walletAddress: world.payer } })
  }))

/** A way to pay without what differs from one network to another: its fee and what accounts hold. */
const describeWay = ({ networkFee, balance, missing, ...way }: QuotedPaymentOption) => ({
  ...way,
  networkFee: networkFee?.currency,
  isFunded: balance && balance !== '0',
  missing: missing?.map(({ currency }) => currency),
})

test('behavior: the ways to pay an order are the same', () =>
  compare(async (world, { log, create, call, send }) => {
    const { path, secret, order } = await create('without a payer', { ...bodyOf(world), payment })
    const list = async (step: string, query = '') => {
      const { status, body } = await send(`${path}/payment-options${query}`, { headers: secret })
      log.push([step, [status, (body as QuotedPaymentOption[]).map(describeWay)]])
    }
    await list('nobody in particular')
    await list('a payer', `?payerAddress=${world.payer}`)
    await list('a payer without money', `?payerAddress=${world.pauper}`)
    const ask = (step: string, query: string, headers: Record<string, string> = secret) =>
      call(step, `${path}/payment-options${query}`, { headers })
    await ask('no address', '?payerAddress=0x12')
    await ask('no address at all', '?payerAddress=')
    await ask('on Solana', '?payerAddress=7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU')
    await ask('a wrong secret', '', { authorization: 'cs_wrong' })
    await call('payer', path, {
      method: 'PATCH',
      headers: secret,
      body: { payment: { ...payment, payerAddress: world.payer } },
    })
    await list('the payer of the order')
    const { body } = await send(path, { headers: secret })
    await world.pay(body as Order, parseEther('0.01'))
    for (;;) {
      const { body: paid } = await send(path, { headers: secret })
      if ((paid as Order).phase === 'completed') break
      await world.wait()
    }
    await ask('paid', '')
    expect(order.payment.status).toBe('requires-crypto-payer-address')
  }))

test('behavior: wrong bodies are refused in the same words', () =>
  compare(async (world, { call }) => {
    const post = (step: string, body: unknown, more: Call = {}) =>
      call(step, '', { method: 'POST', body, headers: { 'x-api-key': world.serverKey }, ...more })
    const good = bodyOf(world)
    await post('nothing', undefined)
    await post('no JSON', undefined, { text: '{' })
    await post('another service', { ...good, lineItems: { collectionLocator: 'other:dunes' } })
    await post('no such collection', { ...good, lineItems: { collectionLocator: 'kassa:none' } })
    await post('no such template', { ...good, lineItems: { collectionLocator: 'kassa:dunes:none' } })
    await post('a price', {
      ...good,
      lineItems: { ...lineItems, callData: { totalPrice: '0.02', quantity: 3 } },
    })
    await post('no chain', { ...good, payment: { ...payment, method: 'nowhere' } })
    await post('no such chain here', { ...good, payment: { ...payment, method: 'polygon' } })
    await post('no currency', { ...good, payment: { ...payment, currency: 'doge' } })
    await post('a payer', {
      ...good,
      payment: { ...payment, payerAddress: '0x9F3b6b1C0a4e2cF6d1B27F4E5cD0A1b2C3d4E5F7' },
    })
    const { create } = openLog(world)
    const { path, secret } = await create('an order', good)
    const patch = (step: string, body: unknown) =>
      call(step, path, { method: 'PATCH', headers: secret, body })
    await patch('other fields', { lineItems, metadata: {} })
    await patch('no recipient', { recipient: {} })
    await call('no hash', `${path}/payment`, { method: 'POST', headers: secret, body: { type: 'card' } })
  }))

test('behavior: the address, the receipt’s e-mail address and the gift are shown to the server key alone', () =>
  compare(async (world, { call }) => {
    const good = bodyOf(world)
    const physicalAddress = { name: 'Ada', line1: 'Weg 1', city: 'Wien', postalCode: '1010', country: 'AT' }
    const body = {
      ...good,
      recipient: { email: 'ada@example.com', physicalAddress },
      payment: { ...good.payment, receiptEmail: 'grace@example.com' },
      gift: { giverName: 'Grace', note: 'Enjoy' },
    }
    const { create } = openLog(world)
    const { path, secret } = await create('an order', body)
    const byServer = { 'x-api-key': world.serverKey }
    const byClientKey = { method: 'POST', body, headers: { 'x-api-key': world.clientKey } }
    const merchantOnly = /Weg 1|grace@|Enjoy/
    const seen = [
      await call('created by a client key', '', byClientKey),
      await call('read by the secret', path, { headers: secret }),
      await call('edited by the secret', path, {
        method: 'PATCH',
        headers: secret,
        body: { locale: 'de-DE' },
      }),
      await call('renewed by the secret', `${path}/refresh`, { method: 'POST', headers: secret }),
    ]
    for (const answer of seen) expect(JSON.stringify(answer)).not.toMatch(merchantOnly)
    expect(JSON.stringify(await call('read by the key', path, { headers: byServer }))).toMatch(merchantOnly)
    await call('renewed by the key', `${path}/refresh`, { method: 'POST', headers: byServer })
  }))

test('behavior: who may not call is refused in the same words', () =>
  compare(async (world, { call }) => {
    const good = bodyOf(world)
    const { create } = openLog(world)
    const { path, secret } = await create('an order', good)
    const noOrder = '/00000000-0000-4000-8000-000000000000'
    const headers = { 'x-api-key': world.clientKey }
    await call('no key', '', { method: 'POST', body: good })
    await call('malformed key', '', { method: 'POST', body: good, headers: { 'x-api-key': 'sk' } })
    await call('foreign key', '', {
      method: 'POST',
      body: good,
      headers: { 'x-api-key': `sk_production_${'A'.repeat(43)}` },
    })
    await call('unknown key', '', {
      method: 'POST',
      body: good,
      headers: { 'x-api-key': `sk_staging_${'B'.repeat(43)}` },
    })
    await call('a browser creates', '', { method: 'POST', body: good, headers })
    await call('a browser lists', '', { headers })
    await call('a browser reads by its key', path, { headers })
    await call('a browser edits by its key', path, { method: 'PATCH', body: {}, headers })
    await call('a server reads', path, { headers: { 'x-api-key': world.serverKey } })
    await call('no secret', path)
    await call('wrong secret', path, { headers: { authorization: 'cs_wrong' } })
    await call('a bearer', path, { headers: { authorization: `Bearer ${secret.authorization}` } })
    await call('secret of another order', noOrder, { headers: secret })
    await call('no such order', noOrder, { headers: { 'x-api-key': world.serverKey } })
    await call('no order id', '/none', { headers: secret })
    await call('no such path', `${path}/nothing`, { headers: secret })
    await call('no such method', path, { method: 'DELETE', headers: secret })
    await call('too many', '?limit=101', { headers: { 'x-api-key': world.serverKey } })
    await call('a cursor', '?cursor=here', { headers: { 'x-api-key': world.serverKey } })
  }))

test('behavior: an answer can be asked for again, and revalidated', () =>
  compare(async (world, { log, call, create }) => {
    const good = bodyOf(world)
    const again = { 'x-idempotency-key': `again ${world.payer}` }
    const first = await create('first', good, again)
    const second = await create('second', good, again)
    log.push(['same order', first.order.orderId === second.order.orderId])
    await create('another body', { ...good, locale: 'de-DE' }, again)
    await call('an empty key', '', {
      method: 'POST',
      body: good,
      headers: { 'x-api-key': world.serverKey, 'x-idempotency-key': '' },
    })
    const url = `${world.baseUrl}/2022-06-09/orders${first.path}`
    const read = await world.fetch(url, { headers: first.secret })
    const etag = read.headers.get('etag') ?? ''
    log.push(['a strong tag', /^"[\w-]+"$/.test(etag)])
    const unchanged = await world.fetch(url, { headers: { ...first.secret, 'if-none-match': etag } })
    log.push([
      'not modified',
      [unchanged.status, await unchanged.text(), unchanged.headers.get('etag') === etag],
    ])
    log.push(['cache', read.headers.get('cache-control')])
  }))

test('behavior: a price runs out, and is renewed', () =>
  compare(async (world, { create, call }) => {
    const { path, secret } = await create('order', bodyOf(world))
    await world.advance(600_000)
    await call('expired', path, { headers: secret })
    await call('renewed', `${path}/refresh`, { method: 'POST', headers: secret, body: {} })
    await call('read', path, { headers: secret })
  }))

test('behavior: a page of orders leads to the next one and back', () =>
  compare(async (world, { log, send, create }) => {
    for (const step of ['one', 'two', 'three']) await create(step, bodyOf(world))
    const headers = { 'x-api-key': world.serverKey }
    type Page = { data: Order[]; nextCursor?: string; previousCursor?: string }
    const first = (await send('?limit=2', { headers })).body as Page
    const second = (await send(`?limit=2&cursor=${first.nextCursor}`, { headers })).body as Page
    const back = (await send(`?limit=2&cursor=${second.previousCursor}`, { headers })).body as Page
    log.push(['first', [first.data.length, Object.keys(first)]])
    log.push(['no overlap', first.data.some(({ orderId }) => orderId === second.data[0]?.orderId)])
    log.push([
      'back',
      back.data.map(({ orderId }) => orderId).join() === first.data.map(({ orderId }) => orderId).join(),
    ])
  }))

/** Pays, and follows what becomes of it in both services. */
const comparePayment = async (amount: bigint, isOver: (order: Order) => boolean) => {
  const seen: string[][] = []
  await compare(async (world, { create, call, follow }) => {
    const created = await create('order', bodyOf(world))
    const { order, path, secret } = created
    await world.pay(order, amount)
    seen.push(await follow(created, isOver))
    await call('over', path, { headers: secret })
    await call('too late to change', path, { method: 'PATCH', headers: secret, body: { locale: 'fr-FR' } })
    await call('too late to renew', `${path}/refresh`, { method: 'POST', headers: secret, body: {} })
  })
  const [real = [], tested = []] = seen
  // The real one may be quicker than who looks at it; what it shows, the other shows in the same order.
  let at = -1
  const shown = real.filter((state) => {
    const next = tested.indexOf(state, at + 1)
    at = Math.max(at, next)
    return next >= 0
  })
  expect(shown).toEqual(real)
  expect(tested.at(-1)).toBe(real.at(-1))
}

test('behavior: a payment is seen, confirmed, and what was bought delivered', () =>
  comparePayment(10n ** 16n, ({ phase }) => phase === 'completed'))

test('behavior: too little waits for the rest', () =>
  comparePayment(
    10n ** 15n,
    ({ payment: { remaining, preparation } }) =>
      remaining !== undefined && preparation?.serializedTransaction !== undefined,
  ))

test('behavior: what was too little goes back, and the order takes a new price and is delivered', () =>
  compare(async (world, { create, call, follow, send }) => {
    const created = await create('order', bodyOf(world))
    const { order, path, secret } = created
    const refresh = (step: string) =>
      call(step, `${path}/refresh`, { method: 'POST', headers: secret, body: {} })
    await world.pay(order, 10n ** 15n)
    await follow(created, ({ payment: { remaining } }) => remaining !== undefined)
    await refresh('too soon')
    await world.advance(600_000)
    await world.passBlocks()
    await follow(created, ({ payment: { refunded } }) => refunded !== undefined)
    await call('returned', path, { headers: secret })
    await refresh('renewed')
    await call('changed', path, { method: 'PATCH', headers: secret, body: { locale: 'fr-FR' } })
    const renewed = (await send(path, { headers: secret })).body as Order
    await world.pay(renewed, 10n ** 16n)
    await follow(created, ({ phase }) => phase === 'completed')
    await call('delivered', path, { headers: secret })
  }))

test('behavior: what a contract paid waits for an address, and goes there', () =>
  compare(async (world, { create, call, follow }) => {
    const created = await create('order', bodyOf(world))
    const { order, path, secret } = created
    const name = (step: string, refundAddress: string) =>
      call(step, path, { method: 'PATCH', headers: secret, body: { payment: { refundAddress } } })
    await world.payByContract(order, 10n ** 15n)
    await follow(created, ({ payment: { remaining } }) => remaining !== undefined)
    await name('too soon', pauper)
    await world.advance(600_000)
    await world.passBlocks()
    await follow(created, ({ payment: { refundHeld } }) => refundHeld !== undefined)
    await call('held', path, { headers: secret })
    await name('no address', 'nowhere')
    await name('named', pauper)
    await follow(created, ({ payment: { refunded } }) => refunded !== undefined)
    await call('sent', path, { headers: secret })
    await call('refunds', `${path}/refunds`, { headers: { 'x-api-key': world.serverKey } })
  }))

test('behavior: a refund goes to the address that the order names', () =>
  compare(async (world, { create, call, follow }) => {
    const body = bodyOf(world)
    const created = await create('order', { ...body, payment: { ...body.payment, refundAddress: pauper } })
    const { order, path } = created
    await world.payByContract(order, 3n * 10n ** 16n)
    await follow(created, ({ phase, payment }) => phase === 'completed' && payment.refunded !== undefined)
    await call('refunds', `${path}/refunds`, { headers: { 'x-api-key': world.serverKey } })
  }))

test('behavior: what was too much is sent back, and the goods are delivered', () =>
  comparePayment(
    3n * 10n ** 16n,
    ({ phase, payment: { refunded } }) => phase === 'completed' && refunded !== undefined,
  ))

test.each(['capture', 'void'] as const)('behavior: a payment that waits for the merchant: %s', (decision) =>
  compare(async (world, { create, call, follow }) => {
    const asServer = { 'x-api-key': world.serverKey }
    const decide = (step: string, path: string, verb: string, headers: Record<string, string> = asServer) =>
      call(step, `${path}/${verb}`, { method: 'POST', headers, body: {} })
    const automatic = await create('automatic', bodyOf(world))
    await decide('nothing to capture', automatic.path, 'capture')
    const body = { ...bodyOf(world), payment: { ...bodyOf(world).payment, capture: 'manual' } }
    const created = await create('manual', body)
    const { order, path, secret } = created
    await decide('unpaid', path, decision)
    await world.pay(order, 10n ** 16n)
    await follow(created, ({ phase }) => phase === 'delivery')
    await call('waiting', path, { headers: secret })
    await decide('a secret', path, decision, secret)
    await decide('a client key', path, decision, { 'x-api-key': world.clientKey })
    const other = decision === 'capture' ? 'void' : 'capture'
    const { status } = await decide('decided', path, decision)
    expect(status).toBe(200)
    await decide('too late', path, other)
    await follow(created, ({ phase, payment: { refunded } }) =>
      decision === 'capture' ? phase === 'completed' : refunded !== undefined,
    )
    await call('over', path, { headers: secret })
  }),
)

test('behavior: a way to capture that does not exist, and one from a client key', () =>
  compare(async (world, { create }) => {
    const withCapture = (capture: string) => ({
      ...bodyOf(world),
      payment: { ...bodyOf(world).payment, capture },
    })
    await create('unknown', withCapture('later'))
    await create('client key', withCapture('manual'), { 'x-api-key': world.clientKey })
  }))

test('behavior: an order that costs nothing is claimed', () =>
  compare(async (world, { create, call, follow }) => {
    const free = { payment, lineItems: { collectionLocator: 'kassa:gift' } }
    const recipient = { walletAddress: world.payer }
    const created = await create('complete', { ...free, recipient })
    await follow(created, ({ phase }) => phase === 'completed')
    await call('delivered', created.path, { headers: created.secret })
    const later = await create('without a recipient', free)
    const edit = (body: unknown) => call('edit', later.path, { method: 'PATCH', headers: later.secret, body })
    await edit({ locale: 'de-DE' })
    await edit({ recipient })
    await edit({ recipient })
  }))

test('behavior: the rules of a sale decide in the same words', () =>
  compare(async (world, { create, call, follow }) => {
    const goods = { collectionLocator: 'kassa:drop' }
    const paid = { ...payment, payerAddress: world.payer }
    const bodyFor = (walletAddress: string) => ({
      recipient: { walletAddress },
      payment: paid,
      lineItems: goods,
    })
    await create('not on the list', bodyFor(world.pauper))
    const quantity = (count: number) => ({ ...goods, callData: { quantity: count } })
    await create('more than a buyer may have', { ...bodyFor(member), lineItems: quantity(3) })
    await create('unknown code', { ...bodyFor(member), promotionCode: 'AUTUMN' })
    await create('expired code', { ...bodyFor(member), promotionCode: 'WINTER' })
    const promoted = await create('code', { ...bodyFor(member), promotionCode: 'spring' })
    const edit = (step: string, body: unknown) =>
      call(step, promoted.path, { method: 'PATCH', headers: promoted.secret, body })
    await edit('without the code', { promotionCode: null })
    await edit('another code', { promotionCode: 'AUTUMN' })
    const again = await edit('the code again', { promotionCode: 'SPRING' })
    await world.pay(again.body as Order, parseEther('0.005'))
    await follow(promoted, ({ phase }) => phase === 'completed')
    await call('bought', promoted.path, { headers: promoted.secret })
    await create('a code that is used up', { ...bodyFor(member), promotionCode: 'SPRING' })
    const [one, other] = [await create('second', bodyFor(member)), await create('third', bodyFor(member))]
    await world.pay(one.order, parseEther('0.01'))
    await follow(one, ({ phase }) => phase === 'completed')
    await world.pay(other.order, parseEther('0.01'))
    await follow(other, ({ phase, payment: { refunded } }) => phase === 'completed' && refunded !== undefined)
    await call('above the limit', other.path, { headers: other.secret })
    await create('has as many as one may have', bodyFor(member))
  }))

test('behavior: the merchant’s refunds, in the same words', () =>
  compare(async (world, { create, call, follow }) => {
    const bought = await create('order', bodyOf(world))
    const key = { 'x-api-key': world.serverKey }
    const refund = (step: string, body: unknown, headers: Record<string, string> = key) =>
      call(step, `${bought.path}/refunds`, { method: 'POST', headers, body })
    await refund('unpaid', {})
    await world.pay(bought.order, parseEther('0.01'))
    await follow(bought, ({ phase }) => phase === 'completed')
    await refund('by the buyer', {}, bought.secret)
    await refund('too many decimals', { amount: '0.0000000000000000001' })
    await refund('too much', { amount: '1' })
    await refund('an unknown item', { lineItems: [{ index: 7 }] })
    await refund('an item twice', { lineItems: [{ index: 0 }, { index: 0 }] })
    const { body } = await refund('a part', { amount: '0.004', reason: 'late' })
    await follow(bought, ({ payment }) => payment.refunded !== undefined)
    await call('order', bought.path, { headers: bought.secret })
    await refund('the rest', {})
    await follow(bought, ({ payment }) => payment.refunded?.amount === '0.01')
    await refund('nothing left', {})
    const list = await call('list', `${bought.path}/refunds`, { headers: key })
    expect((list.body as { data: unknown[] }).data).toHaveLength(2)
    await call('second page', `${bought.path}/refunds?page=2&perPage=1`, { headers: key })
    const { refundId } = body as { refundId: string }
    await call('one', `${bought.path}/refunds/${encodeURIComponent(refundId)}`, { headers: key })
    await call('unknown', `${bought.path}/refunds/none`, { headers: key })
    await call('balances', bought.path, { headers: key })
  }))

test('behavior: shipments, in the same words', () =>
  compare(async (world, { create, call, follow }) => {
    const physicalAddress = {
      name: 'Ada',
      line1: 'Sand 1',
      city: 'Dunes',
      postalCode: '12345',
      country: 'DE',
    }
    const goods = { ...bodyOf(world), recipient: { email: 'ada@example.com', physicalAddress } }
    const bought = await create('order', goods)
    const key = { 'x-api-key': world.serverKey }
    const ship = (step: string, body: unknown, path = bought.path, headers: Record<string, string> = key) =>
      call(step, `${path}/shipments`, { method: 'POST', headers, body })
    const parcel = { carrier: 'DHL', trackingUrl: 'https://carrier.example/42' }
    await ship('unpaid', parcel)
    await world.pay(bought.order, parseEther('0.01'))
    await follow(bought, ({ phase }) => phase === 'completed')
    await ship('by the buyer', parcel, bought.path, bought.secret)
    await ship('no carrier', {})
    await ship('a link that is none', { ...parcel, trackingUrl: 'http://carrier.example' })
    await ship('an unknown item', { ...parcel, lineItems: [{ index: 7 }] })
    const { body } = await ship('shipped', parcel)
    await ship('again', parcel)
    await ship('the item again', { ...parcel, lineItems: [{ index: 0 }] })
    await call('order', bought.path, { headers: bought.secret })
    const { shipmentId } = body as { shipmentId: string }
    const cancel = (step: string, id: string, input: unknown) =>
      call(step, `${bought.path}/shipments/${id}/cancel`, { method: 'POST', headers: key, body: input })
    await cancel('unknown', '00000000-0000-4000-8000-000000000000', {})
    await cancel('an empty reason', shipmentId, { reason: ' ' })
    await cancel('taken back', shipmentId, { reason: 'Still here' })
    await cancel('once more', shipmentId, {})
    await call('corrected', bought.path, { headers: bought.secret })
    await call('corrected, for the merchant', bought.path, { headers: key })
    const other = await create('without an address', bodyOf(world))
    await world.pay(other.order, parseEther('0.01'))
    await follow(other, ({ phase }) => phase === 'completed')
    await ship('nowhere to go', parcel, other.path)
  }))
