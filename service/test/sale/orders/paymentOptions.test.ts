import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import type { PaymentOptionList } from 'kassa/schema'
import { toBaseUnits } from 'kassa/schema'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { advances } from '#base/config/advances.js'
import { rateLimits, wallets } from '#base/db/tables/index.js'
import type { ChainPort } from '#base/ports/chain.js'
import { suspendCurrency } from '#goods/collections/suspendedCurrencies.js'
import { listPaymentOptions } from '#sale/orders/listPaymentOptions.js'
import { editOrder } from '#sale/orders/requoteOrder.js'
import { limits } from '../../../../test/limits.js'
import { createFakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld, type OrderWorld, payerAddress } from '../../helpers/createOrderWorld.js'
import { createTestChain } from '../../helpers/createTestChain.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { createTestSolana } from '../../helpers/createTestSolana.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { startRelay } from '../../helpers/startRelay.js'

/** A clock that the tests move on, so that a new block is seen. */
let aheadMs = 0
const now = () => Date.now() + aheadMs
const later = () => {
  aheadMs += 2_000
}

const list = (world: OrderWorld, orderId: string, payer?: string): Promise<PaymentOptionList> => {
  later()
  return listPaymentOptions(world.deps, world.secretCall(orderId), { orderId, payerAddress: payer })
}

const find = (options: PaymentOptionList, chain: string, currency: string) => {
  const found = options.find((option) => option.chain === chain && option.currency === currency)
  if (!found) throw new Error(`${currency} on ${chain} is not among ${JSON.stringify(options)}`)
  return found
}

/** Whether the payer could sign after a change to a way to pay. */
const isReadyAfterEdit = async (
  world: OrderWorld,
  orderId: string,
  { chain, currency }: PaymentOptionList[number],
  payer: string,
): Promise<boolean> => {
  const payment = { method: chain, currency, payerAddress: payer }
  const order = await editOrder(world.deps, world.secretCall(orderId), { orderId, body: { payment } })
  return order.payment.preparation?.serializedTransaction !== undefined
}

describe('on a chain of its own', () => {
  const node = openBeforeAll(createTestChain)
  let world: OrderWorld
  beforeAll(async () => {
    world = await createOrderWorld({ db: node.db, chains: [node.chain], now })
    await world.createCollection({ id: 'tea', price: '0.01' })
  })
  const lineItems = { collectionLocator: 'kassa:tea' }
  /** Sets the coins of an account, in a new block that asks for the same fee. */
  const setBalance = async (address: `0x${string}`, value: bigint): Promise<void> => {
    await node.client.setBalance({ address, value })
    const { baseFeePerGas } = await node.client.getBlock()
    await node.client.setNextBlockBaseFeePerGas({ baseFeePerGas: baseFeePerGas ?? 0n })
    await node.client.mine({ blocks: 1 })
  }
  const create = async (payer?: string) => {
    const payment = { method: 'base-sepolia', currency: 'eth', ...(payer && { payerAddress: payer }) }
    return (await world.create({ lineItems, payment })).order.orderId
  }

  test('default', async () => {
    const payer = await node.createPayer()
    await payer.mintTokens('usdc', 12_500_000n)
    const orderId = await create(payer.address)
    const options = await list(world, orderId)
    const fee = { amount: expect.stringMatching(/^0\.0\d+$/), currency: 'eth' }
    const fiat = { amount: expect.stringMatching(/^\d+\.\d\d$/), currency: 'usd' }
    expect(options).toEqual([
      {
        chain: 'base-sepolia',
        currency: 'eth',
        amount: '0.01',
        fiat: { amount: '30.00', currency: 'usd' },
        networkFee: { ...fee, fiat },
        balance: expect.stringMatching(/^0\.99/),
        sufficient: true,
      },
      {
        chain: 'base-sepolia',
        currency: 'usdc',
        amount: '30',
        fiat: { amount: '30.00', currency: 'usd' },
        networkFee: { ...fee, fiat },
        balance: '12.5',
        sufficient: false,
        missing: [{ amount: '17.5', currency: 'usdc' }],
      },
      {
        chain: 'base-sepolia',
        currency: 'usdxm',
        amount: '30',
        fiat: { amount: '30.00', currency: 'usd' },
        networkFee: { ...fee, fiat },
        balance: '0',
        sufficient: false,
        missing: [{ amount: '30', currency: 'usdxm' }],
      },
    ])
  })

  test('behavior: the service is asked the same by a server key', async () => {
    const payer = await node.createPayer()
    const orderId = await create(payer.address)
    const input = { orderId, payerAddress: payer.address.toLowerCase() }
    expect(await listPaymentOptions(world.deps, world.serverCall, input)).toEqual(
      await listPaymentOptions(world.deps, world.secretCall(orderId), { orderId }),
    )
  })

  test('behavior: what is missing, in both currencies, and no more', async () => {
    const payer = await node.createPayer(0n)
    const orderId = await create(payer.address)
    const poor = await list(world, orderId)
    const { missing: lacksCoins = [], networkFee } = find(poor, 'base-sepolia', 'eth')
    const price = toBaseUnits('0.01', 18) ?? 0n
    const feeWei = toBaseUnits(networkFee?.amount ?? '', 18) ?? 0n
    expect(lacksCoins).toEqual([{ amount: expect.any(String), currency: 'eth' }])
    expect(toBaseUnits(lacksCoins[0]?.amount ?? '', 18)).toBe(price + feeWei)
    const { missing: lacksTokens = [], networkFee: tokenFee } = find(poor, 'base-sepolia', 'usdc')
    expect(lacksTokens).toEqual([
      { amount: '30', currency: 'usdc' },
      { amount: tokenFee?.amount, currency: 'eth' },
    ])
    const rich = await node.createPayer()
    await rich.mintTokens('usdc', 30_000_000n, payer.address)
    await setBalance(payer.address, toBaseUnits(lacksTokens[1]?.amount ?? '', 18) ?? 0n)
    expect(find(await list(world, orderId), 'base-sepolia', 'usdc')).toMatchObject({ sufficient: true })
  })

  test.each([
    ['no coins and no tokens', 0n, 0n],
    ['the price in coins, and nothing for the fee', 10n ** 16n, 0n],
    ['coins enough', 10n ** 18n, 0n],
    ['tokens, and no coins for the fee', 0n, 30_000_000n],
    ['tokens, and one unit too few', 10n ** 18n, 29_999_999n],
    ['tokens enough', 10n ** 18n, 30_000_000n],
  ])('behavior: says what an edit would: %s', async (_, wei, units) => {
    const payer = await node.createPayer()
    await payer.mintTokens('usdc', units)
    await setBalance(payer.address, wei)
    const orderId = await create()
    const options = await list(world, orderId, payer.address)
    expect(options).toHaveLength(3)
    for (const option of options) {
      expect(await isReadyAfterEdit(world, orderId, option, payer.address), option.currency).toBe(
        option.sufficient,
      )
    }
  })

  test('behavior: agrees with an edit to the last unit of the fee', async () => {
    const payer = await node.createPayer()
    const orderId = await create()
    // The fee is kept for a second, and the deadline is a part of the payment: zeros in it cost less gas.
    const { quoteTtlMs } = world.deps.config
    const past = (now() + quoteTtlMs) % 256_000
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 256_000 - past + 16_000 })
    onTestFinished(() => void vi.useRealTimers())
    await setBalance(payer.address, 10n ** 18n)
    // Until what an earlier block asked for, which may be more, is not kept any longer.
    await sleep(1_100)
    const read = async () => find(await list(world, orderId, payer.address), 'base-sepolia', 'eth')
    const { amount, networkFee } = await read()
    const needed = (toBaseUnits(amount, 18) ?? 0n) + (toBaseUnits(networkFee?.amount ?? '', 18) ?? 0n)
    for (const [value, isEnough] of [
      [needed, true],
      [needed - 1n, false],
    ] as const) {
      await setBalance(payer.address, value)
      const option = await read()
      expect(option.sufficient).toBe(isEnough)
      expect(await isReadyAfterEdit(world, orderId, option, payer.address)).toBe(isEnough)
    }
  })

  test('behavior: a payer whose gas is sponsored pays no network fee', async () => {
    const payer = await node.createPayer(10n ** 16n)
    await node.db.insert(wallets).values({
      id: crypto.randomUUID(),
      projectId: world.projectId,
      type: 'evm-smart-wallet',
      address: payer.address,
      signerType: 'evm-keypair',
      createdAt: new Date(),
      adminSigner: { type: 'evm-keypair', address: payer.address, locator: `evm-keypair:${payer.address}` },
    })
    const orderId = await create(payer.address)
    const option = find(await list(world, orderId), 'base-sepolia', 'eth')
    expect(option).toMatchObject({
      networkFee: { amount: '0', currency: 'eth' },
      balance: '0.01',
      sufficient: true,
    })
    await node.db.delete(wallets).where(eq(wallets.address, payer.address))
  })

  test('behavior: without a payer, prices and network fees', async () => {
    const options = await list(world, await create())
    expect(options).toHaveLength(3)
    for (const option of options) {
      expect(option).toMatchObject({
        balance: null,
        sufficient: null,
        networkFee: { amount: expect.stringMatching(/^0\.0\d+$/), currency: 'eth' },
      })
      expect(option).not.toHaveProperty('missing')
    }
  })

  test('behavior: one request for a block, and none until the next', async () => {
    const bodies: string[] = []
    const relay = await startRelay(await node.node.rpcUrl(), async (body) => void bodies.push(body))
    const watched: ChainPort = node.open({ rpcUrl: async () => relay.url })
    await watched.ready()
    const beside = await createOrderWorld({ db: node.db, chains: [watched], now })
    await beside.createCollection({ id: 'tea', price: '0.01' })
    const payer = await node.createPayer()
    const payment = { method: 'base-sepolia', currency: 'eth' }
    const { orderId } = (await beside.create({ lineItems, payment })).order
    await list(beside, orderId, payer.address)
    bodies.length = 0
    const first = await list(beside, orderId, payer.address)
    // The head is read anew, and is the same block.
    const methods = bodies.flatMap((body) => [JSON.parse(body)].flat().map(({ method }) => method))
    expect(methods).toEqual(['eth_getBlockByNumber'])
    bodies.length = 0
    await node.client.mine({ blocks: 1 })
    expect(await list(beside, orderId, payer.address)).toMatchObject(
      first.map(({ currency, amount, balance }) => ({ currency, amount, balance })),
    )
    expect(bodies.filter((body) => /eth_estimateGas|eth_getBalance|eth_call/.test(body))).toHaveLength(1)
    await relay.close()
  })

  test('behavior: a chain that hangs and one that refuses are said so, and hold up nobody', async () => {
    let hung = 0
    let isHanging = false
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const url = await node.node.rpcUrl()
    const hanging = await startRelay(url, async () => {
      if (!isHanging) return
      hung++
      await released
    })
    const refusing = await startRelay(
      url,
      async () => {},
      () => (isHanging ? 403 : undefined),
    )
    const hangs = node.open({ chain: 'optimism-sepolia', rpcUrl: async () => hanging.url })
    const refuses = node.open({ chain: 'ethereum-sepolia', rpcUrl: async () => refusing.url })
    await Promise.all([hangs.ready(), refuses.ready()])
    const beside = await createOrderWorld({ db: node.db, chains: [hangs, node.chain, refuses], now })
    await beside.createCollection({ id: 'tea', price: '0.01' })
    const payer = await node.createPayer()
    const payment = { method: 'base-sepolia', currency: 'eth', payerAddress: payer.address }
    const { orderId } = (await beside.create({ lineItems, payment })).order
    isHanging = true
    const options = await list(beside, orderId)
    // The answer came while the node held the first request. The adapter gives that up later, and asks again.
    expect(hung).toBe(1)
    expect(options).toHaveLength(9)
    for (const option of options) {
      const isKnown = option.chain === 'base-sepolia'
      expect(option.amount).toBe(option.currency === 'eth' ? '0.01' : '30')
      expect(option.networkFee === null).toBe(!isKnown)
      expect(option.balance === null).toBe(!isKnown)
      expect(option.sufficient === null).toBe(!isKnown)
    }
    expect(beside.logged.join('\n')).toContain('the payment options of a chain are unknown')
    isHanging = false
    release()
    await vi.waitFor(async () => {
      const again = await list(beside, orderId)
      expect(again.map(({ sufficient }) => sufficient)).not.toContain(null)
    }, limits.conditionMs)
    await Promise.all([hanging.close(), refusing.close()])
  })
})

describe('on chains in memory', () => {
  const database = openBeforeAll(createTestDatabase)
  const rates = { eth: '3000', usdc: '1', usdxm: '1', sol: '150', pol: '0.5' }

  const open = async (names: readonly string[], usd: Record<string, string> = rates) => {
    const chains = names.map((name) => createFakeChain({ now, chain: name }))
    const sale = { usd, isAway: () => false }
    const world = await createOrderWorld({
      db: database.db,
      chains: chains.map(({ port }) => port),
      now,
      rates: { read: async () => sale },
    })
    await world.createCollection({ id: 'tea', price: '10', currency: 'usd' })
    return { world, chains, sale }
  }
  const buy = async (world: OrderWorld, payment: object = {}, others: object = {}) => {
    const own = { method: 'base-sepolia', currency: 'usdc', payerAddress, ...payment }
    const lineItems = { collectionLocator: 'kassa:tea' }
    return (await world.create({ lineItems, payment: own, ...others })).order
  }
  const names = (options: PaymentOptionList) => options.map(({ chain, currency }) => `${currency} ${chain}`)

  test('behavior: test networks and main networks never mix', async () => {
    const { world } = await open(['base-sepolia', 'base', 'polygon-amoy', 'polygon'])
    const { orderId } = await buy(world)
    const chains = (await list(world, orderId)).map(({ chain }) => chain)
    expect(new Set(chains)).toEqual(new Set(['base-sepolia', 'polygon-amoy']))
    const main = await buy(world, { method: 'base' })
    const others = (await list(world, main.orderId)).map(({ chain }) => chain)
    expect(new Set(others)).toEqual(new Set(['base', 'polygon']))
  })

  test('behavior: a currency without a rate, and one that is suspended, are left out', async () => {
    const { world, sale } = await open(['base-sepolia'], { usdc: '1', usdxm: '1' })
    const { orderId } = await buy(world)
    expect(names(await list(world, orderId))).toEqual(['usdc base-sepolia', 'usdxm base-sepolia'])
    sale.usd = rates
    expect(names(await list(world, orderId))).toContain('eth base-sepolia')
    const place = { chain: 'base-sepolia', currency: 'usdxm', reason: 'a test' }
    await suspendCurrency(world.deps, place)
    expect(names(await list(world, orderId))).toEqual(['eth base-sepolia', 'usdc base-sepolia'])
    await world.createCollection({ id: 'narrow', price: '10', currency: 'usd', currencies: ['usdc'] })
    const narrow = await buy(world, {}, { lineItems: { collectionLocator: 'kassa:narrow' } })
    expect(names(await list(world, narrow.orderId))).toEqual(['usdc base-sepolia'])
  })

  test('behavior: from a network that has asked often in an hour, chains are not asked what a payer holds', async () => {
    const { world, chains } = await open(['base-sepolia'])
    const { orderId } = await buy(world)
    const asks = chains.map(({ port }) => vi.spyOn(port, 'estimatePayments'))
    const listFrom = async (network: string, call = world.secretCall(orderId)) => {
      later()
      const payer = privateKeyToAddress(generatePrivateKey())
      const input = { orderId, payerAddress: payer }
      return find(
        await listPaymentOptions(world.deps, { ...call, client: { network } }, input),
        'base-sepolia',
        'eth',
      )
    }
    const asked = { networkFee: {}, balance: expect.any(String), sufficient: true }
    expect(await listFrom('192.0.2.1')).toMatchObject(asked)
    const key = 'balances:192.0.2.1'
    const mine = eq(rateLimits.key, key)
    const points = advances.balances.caps(world.deps.config).network - 1
    const [counted] = await database.db.update(rateLimits).set({ points }).where(mine).returning()
    expect(counted?.expire).toBeGreaterThan(now() + 59 * 60_000)
    expect(await listFrom('192.0.2.1')).toMatchObject(asked)
    for (const ask of asks) ask.mockClear()
    const left = { networkFee: {}, balance: null, sufficient: null }
    for (let count = 0; count < 3; count++) expect(await listFrom('192.0.2.1')).toMatchObject(left)
    const payers = asks.flatMap(({ mock }) => mock.calls).map(([{ payer }]) => payer)
    expect(payers.filter((payer) => payer !== undefined)).toEqual([])
    expect(await listFrom('192.0.2.2')).toMatchObject(asked)
    expect(await listFrom('192.0.2.1', world.serverCall)).toMatchObject(asked)
    await database.db.update(rateLimits).set({ expire: 0 }).where(mine)
    expect(await listFrom('192.0.2.1')).toMatchObject(asked)
  })

  test('behavior: the own quote of the order stands until it expires, whatever the rate is', async () => {
    const { world, sale } = await open(['base-sepolia'])
    const { orderId } = await buy(world, { currency: 'eth' })
    const amount = async () => find(await list(world, orderId), 'base-sepolia', 'eth').amount
    expect(await amount()).toBe('0.00333334')
    sale.usd = { ...rates, eth: '2000' }
    expect(await amount()).toBe('0.00333334')
    await world.endQuote(orderId)
    // An expired order that was not paid can be quoted again, so it has ways to pay.
    aheadMs += world.deps.config.quoteTtlMs
    expect(await amount()).toBe('0.005')
  })

  test('behavior: before it is known who gets them, the ways to pay say what the goods cost', async () => {
    const { world } = await open(['base-sepolia'])
    const named = await buy(world)
    const unnamed = await buy(world, {}, { recipient: undefined })
    expect(unnamed.quote.status).toBe('requires-recipient')
    const told = (orderId: string) =>
      list(world, orderId).then((ways) => ways.map(({ amount, currency }) => `${amount} ${currency}`))
    expect(await told(unnamed.orderId)).toEqual(await told(named.orderId))
    expect(await told(unnamed.orderId)).not.toEqual([])
  })

  test('behavior: with nothing to pay, there is no way to pay', async () => {
    const { world } = await open(['base-sepolia'])
    // Without an e-mail address, it waits to be claimed.
    await world.createCollection({ id: 'gift', price: '0', currency: 'usd', requires: ['receipt-email'] })
    const free = await buy(world, {}, { lineItems: { collectionLocator: 'kassa:gift' } })
    expect(await list(world, free.orderId)).toEqual([])
  })

  test('error: conflict once a payment was seen', async () => {
    const { world, chains } = await open(['base-sepolia'])
    const { orderId } = await buy(world)
    chains[0]?.pay({ orderId, currency: 'usdc', units: 10_000_000n })
    await world.look()
    await expect(list(world, orderId)).rejects.toMatchObject({ code: 'conflict' })
    await world.drain()
    await expect(list(world, orderId)).rejects.toMatchObject({ code: 'conflict' })
  })

  test.each([['0x12'], [''], ['ada'], ['7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU']])(
    'error: input-invalid, naming payerAddress: %s',
    async (payer) => {
      const { world } = await open(['base-sepolia', 'polygon-amoy'])
      const { orderId } = await buy(world)
      await expect(list(world, orderId, payer)).rejects.toMatchObject({
        code: 'input-invalid',
        message: `payerAddress: ${payer || '(empty)'} is not an address on any of base-sepolia, polygon-amoy`,
      })
    },
  )

  test('error: not-found for the secret of another order, and for an order that no one has', async () => {
    const { world } = await open(['base-sepolia'])
    const { orderId } = await buy(world)
    const other = world.secretCall((await buy(world)).orderId)
    const notFound = { code: 'not-found' }
    await expect(listPaymentOptions(world.deps, other, { orderId })).rejects.toMatchObject(notFound)
    const missing = crypto.randomUUID()
    await expect(
      listPaymentOptions(world.deps, world.serverCall, { orderId: missing }),
    ).rejects.toMatchObject(notFound)
    const { projectId } = await createOrderWorld({ db: database.db, chains: [], now })
    const stranger = { ...world.serverCall, actor: { ...world.serverCall.actor, projectId } }
    await expect(listPaymentOptions(world.deps, stranger, { orderId })).rejects.toMatchObject(notFound)
  })
})

describe('on Solana', () => {
  const solana = openBeforeAll(createTestSolana)
  const recipient = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU'
  let world: OrderWorld
  beforeAll(async () => {
    const evm = createFakeChain({ now })
    world = await createOrderWorld({ db: solana.db, chains: [evm.port, solana.chain], now })
    await world.createCollection({ id: 'tea', chain: 'solana', price: '0.5', currency: 'sol' })
    await world.createCollection({ id: 'leaf', chain: 'solana', price: '0.0001', currency: 'sol' })
    const paidOnEvm = { id: 'evm', price: '10', currency: 'usd', recipientAddress: payerAddress }
    await world.createCollection({ ...paidOnEvm, chain: 'solana' })
  })
  const create = async (id: string, others: object = {}) =>
    world.create({
      lineItems: { collectionLocator: `kassa:${id}` },
      recipient: { walletAddress: recipient },
      payment: { method: 'base-sepolia', currency: 'usdc' },
      ...others,
    })

  test('behavior: the family of the payer decides which chains are listed', async () => {
    const { orderId } = (await create('tea')).order
    const chains = async (payer?: string) =>
      new Set((await list(world, orderId, payer)).map(({ chain }) => chain))
    expect(await chains()).toEqual(new Set(['base-sepolia', 'solana']))
    expect(await chains(recipient)).toEqual(new Set(['solana']))
    expect(await chains(payerAddress)).toEqual(new Set(['base-sepolia']))
  })

  test('behavior: the payer of the order sees what it costs in other wallets', async () => {
    const { orderId } = (
      await create('tea', { payment: { method: 'base-sepolia', currency: 'usdc', payerAddress } })
    ).order
    const options = await list(world, orderId)
    const funds = Object.fromEntries(options.map(({ chain, sufficient }) => [chain, sufficient === null]))
    expect(funds).toEqual({ 'base-sepolia': false, solana: true })
    expect(options.find(({ chain, currency }) => chain === 'solana' && currency === 'sol')).toMatchObject({
      amount: '0.5',
      balance: null,
    })
  })

  test('behavior: a chain on which the proceeds or a refund would have no owner is left out', async () => {
    const chains = async (orderId: string) => new Set((await list(world, orderId)).map(({ chain }) => chain))
    expect(await chains((await create('evm')).order.orderId)).toEqual(new Set(['base-sepolia']))
    const payment = { method: 'base-sepolia', currency: 'usdc', refundAddress: payerAddress }
    expect(await chains((await create('tea', { payment })).order.orderId)).toEqual(new Set(['base-sepolia']))
  })

  test('behavior: a payment that is less than an account may hold is left out', async () => {
    const payer = await solana.createPayer()
    const { orderId } = (await create('leaf')).order
    const listed = await list(world, orderId, payer.address)
    expect(listed.map(({ currency }) => currency)).toEqual(['usdc', 'usdxm'])
    const edited = isReadyAfterEdit(world, orderId, { ...listed[0], currency: 'sol' } as never, payer.address)
    await expect(edited).rejects.toMatchObject({ code: 'input-invalid' })
  })

  // 0.5 SOL and the fee of 5000 lamports; an account that is not emptied keeps 890880.
  test.each([
    ['nothing', 0n, 0n],
    ['the price', 500_000_000n, 0n],
    ['the price and the fee', 500_005_000n, 0n],
    ['one lamport more, which an account may not keep', 500_005_001n, 0n],
    ['coins enough', 600_000_000n, 0n],
    ['tokens, and the fee', 1_000_000n, 75_000_000n],
    ['tokens, and too few', 1_000_000n, 74_999_999n],
  ])('behavior: says what an edit would: %s', async (_, lamports, tokens) => {
    const payer = await solana.createPayer({ lamports, tokens })
    const { orderId } = (await create('tea')).order
    const options = await list(world, orderId, payer.address)
    expect(options.map(({ currency }) => currency)).toEqual(['sol', 'usdc', 'usdxm'])
    for (const option of options) {
      expect(option.networkFee).toMatchObject({ amount: '0.000005', currency: 'sol' })
      expect(option.missing === undefined).toBe(option.sufficient)
      expect(await isReadyAfterEdit(world, orderId, option, payer.address), option.currency).toBe(
        option.sufficient,
      )
    }
  })
})
