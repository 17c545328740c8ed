import { QueryObserver } from '@tanstack/react-query'
import { Hono } from 'hono'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { fundAddress } from '../../service/src/adapters/chains/evm/local/fundAddress.js'
import { faucetGift } from '../../service/src/base/lib/faucetGift.js'
import { createSandbox } from '../../service/src/entry/sandbox/createSandbox.js'
import type { SandboxChain } from '../../service/src/entry/sandbox/sandboxChain.js'
import type { ServiceEnv } from '../../service/src/interface/http/context.js'
import { onError } from '../../service/src/interface/http/onError.js'
import { refreshOrder } from '../../src/api/index.js'
import { createDevtools, type Devtools } from '../../src/devtools/createDevtools.js'
import type { DevtoolsParameters } from '../../src/devtools/createOrderBook.js'
import { orderQueryOptions } from '../../src/query.js'
import type { Order } from '../../src/schema/index.js'
import { type Buyer, type BuyerOptions, createBuyer, type ShopAddress } from '../helpers/createBuyer.js'
import { codeOf, follow, isCompleted } from '../helpers/follow.js'
import { useShop } from '../helpers/useShop.js'

const shop = useShop()
let sandbox: ShopAddress

beforeAll(async () => {
  const { service, world, address } = shop
  const { chain, chainId, currencies, parseAddress } = world.chain
  const rpcUrl = world.node.rpcUrl
  const fund: SandboxChain['fund'] = async (payer, least) =>
    fundAddress(await rpcUrl(), currencies, {
      address: payer,
      give: (currency) => faucetGift(currency, least),
    })
  const contracts = { router: '', depositFactory: '' }
  const chains = new Map([[chain, { chain, chainId, currencies, contracts, parseAddress, rpcUrl, fund }]])
  const app = new Hono<ServiceEnv>()
  app.onError(onError(service.deps.log))
  app.route('/', createSandbox(service.deps, service.projectId, chains))
  sandbox = {
    ...address,
    fetch: async (input, init) =>
      new URL(String(input)).pathname.startsWith('/sandbox')
        ? app.request(String(input), init)
        : (address.fetch ?? fetch)(input, init),
  }
})

const stops: (() => void)[] = []

afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

type Page = Pick<Buyer, 'parameters' | 'payment'>

/** A page with the order read, the panel's data, and the panel asking what the service is. */
const open = async (page: Page) => {
  const { client, queryClient, attemptStore, orderId, clientSecret } = page.parameters
  const listeners: DevtoolsParameters['listeners'] = new Set()
  const devtools = createDevtools({ client, queryClient, attemptStore, listeners, now: Date.now })
  const observed = orderQueryOptions(client, { orderId, clientSecret })
  const observer = new QueryObserver(queryClient, { ...observed, refetchInterval: false })
  stops.push(
    devtools.subscribe(() => undefined),
    observer.subscribe(() => undefined),
  )
  await queryClient.fetchQuery(observed)
  await devtools.ask()
  page.parameters.onEvent = (event) => {
    for (const listener of listeners) listener(event)
  }
  return {
    devtools,
    observed,
    order: () => devtools.getSnapshot().orders[0],
    shown: () => queryClient.getQueryData<Order>(observed.queryKey),
  }
}

const openBuyer = async (options?: BuyerOptions, at = sandbox) => {
  const buyer = await createBuyer(at, options)
  return { buyer, ...(await open(buyer)) }
}

const settle = (devtools: Devtools, isMet: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    const check = (): void => {
      if (!isMet()) return
      stop()
      resolve()
    }
    const stop = devtools.subscribe(check)
    check()
  })

describe('createDevtools', () => {
  test('default: one purchase, from the first read to the delivery', async () => {
    const { buyer, devtools, observed, order } = await openBuyer()
    await buyer.payment.pay(buyer.parameters)
    await follow(buyer, isCompleted)
    await settle(devtools, () => order()?.attempts[0]?.isOpen === false)
    // Nothing has changed since: whether that was so of any poll before, was chance.
    await buyer.parameters.queryClient.fetchQuery({ ...observed, staleTime: 0 })
    const { timeline, calls } = devtools.getSnapshot()
    expect(timeline[0]).toMatchObject({ kind: 'order', orderId: buyer.order.orderId, isForced: false })
    expect(timeline[0]?.changes).toContainEqual({ field: 'payment', to: 'awaiting-payment' })
    const changes = timeline.flatMap((record) => record.changes)
    expect(changes).toContainEqual({ field: 'step', from: 'checking', to: 'awaiting-signature' })
    expect(changes).toContainEqual(expect.objectContaining({ field: 'phase', to: 'completed' }))
    expect(timeline.map(({ kind }) => kind)).toContain('checked')
    expect(calls.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 304]))
    expect(calls.find(({ status }) => status === 304)).toMatchObject({ method: 'GET', path: '', bytes: 0 })
    expect(calls.find(({ status }) => status === 200)?.bytes).toBeGreaterThan(500)
    expect(calls).toContainEqual(expect.objectContaining({ method: 'POST', path: 'payment' }))
    expect(order()).toMatchObject({
      total: '0.01 ETH',
      step: { status: 'paid' },
      deliveries: ['completed'],
      checked: { chain: 'base-sepolia', amount: { amount: '0.01', currency: 'eth' }, token: undefined },
      attempts: [{ payerAddress: buyer.account.address, isOpen: false }],
    })
  })

  test('behavior: plain values, and no secret among them', async () => {
    const { buyer, devtools } = await openBuyer()
    await buyer.payment.pay(buyer.parameters)
    const snapshot = devtools.getSnapshot()
    const text = JSON.stringify(snapshot)
    expect(JSON.parse(text)).toEqual(structuredClone(snapshot))
    expect(text).not.toContain(buyer.clientSecret)
    expect(text).not.toContain(sandbox.serverKey)
  })

  test('behavior: records failed calls too', async () => {
    const { buyer, devtools } = await openBuyer({
      fetch: (input, init) =>
        String(input).endsWith('/refresh')
          ? Promise.reject(new TypeError('fetch failed'))
          : (sandbox.fetch ?? fetch)(input, init),
    })
    const { client, orderId, clientSecret } = buyer.parameters
    await expect(refreshOrder(client, { orderId, clientSecret })).rejects.toThrow()
    await settle(devtools, () => devtools.getSnapshot().calls.length > 1)
    expect(devtools.getSnapshot().calls.at(-1)).toMatchObject({
      path: 'refresh',
      status: undefined,
      bytes: 0,
    })
  })

  test('behavior: records nothing without a subscriber', async () => {
    const { buyer, devtools } = await openBuyer()
    for (const stop of stops.splice(0)) stop()
    const before = devtools.getSnapshot()
    await buyer.payment.pay(buyer.parameters)
    expect(devtools.getSnapshot()).toBe(before)
  })
})

describe('force', () => {
  test('default: shown at once, held, and released to the real one', async () => {
    const { buyer, devtools, order, shown } = await openBuyer()
    devtools.force(buyer.order.orderId, 'delivering')
    expect(shown()?.phase).toBe('delivery')
    const asked = devtools.getSnapshot().calls.length
    await buyer.queryClient.refetchQueries()
    expect(shown()?.phase).toBe('delivery')
    expect(devtools.getSnapshot().calls).toHaveLength(asked)
    devtools.force(buyer.order.orderId, 'completed')
    expect(order()).toMatchObject({ phase: 'completed', forced: 'completed' })
    devtools.release(buyer.order.orderId)
    expect(shown()).toEqual(buyer.order)
    expect(order()?.forced).toBeUndefined()
    await settle(devtools, () => devtools.getSnapshot().calls.length > asked)
    const kinds = devtools.getSnapshot().timeline.map(({ kind }) => kind)
    expect(kinds).toEqual(['order', 'forced', 'order', 'forced', 'order', 'released', 'order'])
  })

  test('behavior: a read that was on its way does not undo it', async () => {
    const { buyer, devtools, observed, shown } = await openBuyer()
    const reading = buyer.queryClient.fetchQuery(observed)
    devtools.force(buyer.order.orderId, 'delivering')
    await reading
    expect(shown()?.phase).toBe('delivery')
  })

  test('behavior: only a sandbox is forced', async () => {
    const { buyer, devtools, order, shown } = await openBuyer({}, shop.address)
    expect(devtools.getSnapshot().sandbox).toEqual({ status: 'none', chains: [] })
    expect(order()?.canBeForcedTo).toEqual([])
    devtools.force(buyer.order.orderId, 'completed')
    expect(shown()).toEqual(buyer.order)
  })

  test('behavior: a paid order that is shown awaiting payment asks no wallet', async () => {
    const { buyer } = await openBuyer()
    await buyer.payment.pay(buyer.parameters)
    await follow(buyer, isCompleted)
    const page = buyer.reload()
    const { devtools, order, shown } = await open(page)
    devtools.force(buyer.order.orderId, 'awaiting-payment')
    expect(shown()?.payment.status).toBe('awaiting-payment')
    expect((await page.payment.pay(page.parameters)).status).toBe('paid')
    expect(buyer.countSent()).toBe(1)
    expect(shown()?.phase).toBe('completed')
    expect(order()?.forced).toBeUndefined()
  })

  test('behavior: an order that cannot be paid is not paid for being shown payable', async () => {
    const { buyer, devtools, shown } = await openBuyer({ nativeWei: 0n })
    expect(shown()?.payment.status).toBe('crypto-payer-insufficient-funds')
    devtools.force(buyer.order.orderId, 'awaiting-payment')
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('pay.insufficient-funds')
    expect(buyer.countSent()).toBe(0)
  })

  test('behavior: nothing is forced while a payment may be under way', async () => {
    const { buyer, devtools, order, shown } = await openBuyer()
    buyer.wallet.script.onSend = () => new Promise(() => undefined)
    void buyer.payment.pay(buyer.parameters)
    await settle(devtools, () => order()?.step.status === 'awaiting-signature')
    expect(order()).toMatchObject({ canBeForcedTo: [], attempts: [{ isOpen: true }] })
    devtools.force(buyer.order.orderId, 'completed')
    expect(shown()?.phase).toBe('payment')
  })

  test('behavior: shows the real order once the last subscriber leaves', async () => {
    const { buyer, devtools, shown } = await openBuyer()
    devtools.force(buyer.order.orderId, 'completed')
    for (const stop of stops.splice(0)) stop()
    expect(shown()).toEqual(buyer.order)
  })
})

describe('fund', () => {
  test('default', async () => {
    const { buyer, devtools, order } = await openBuyer({ nativeWei: 0n })
    expect(order()?.payment).toBe('crypto-payer-insufficient-funds')
    expect(await devtools.fund('base-sepolia', buyer.account.address)).toBe(true)
    await follow(buyer, ({ payment }) => payment.status === 'awaiting-payment')
  })

  test('behavior: a chain the sandbox has not, and an address that is none, get nothing', async () => {
    const { buyer, devtools } = await openBuyer()
    expect(await devtools.fund('base', buyer.account.address)).toBe(false)
    expect(await devtools.fund('base-sepolia', 'nobody')).toBe(false)
  })
})
