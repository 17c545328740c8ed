import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { createTestClient, type Hex, http, parseEther, parseTransaction, walletActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { baseSepolia } from 'viem/chains'
import { beforeEach, describe, expect, test } from 'vitest'
import { collections } from '../../service/src/base/db/tables/collections.js'
import type { CheckoutEvent } from '../../src/query.js'
import type { Order } from '../../src/schema/index.js'
import { type Buyer, createBuyer } from '../helpers/createBuyer.js'
import { codeOf, follow, isCompleted, reach } from '../helpers/follow.js'
import { useShop } from '../helpers/useShop.js'

const shop = useShop()

/** What the collection costs from now on, in eth. */
const setPrice = async (price: string): Promise<void> => {
  const { db, notices } = shop.service.deps
  await db.update(collections).set({ price }).where(eq(collections.id, 'dunes'))
  notices.tell('collections', '')
}

beforeEach(() => setPrice('0.01'))

/** A buyer whose clock the test moves: the quote of ten minutes has as long to go as the test says. */
const newBuyer = async () => {
  const refreshes: string[] = []
  let aheadMs = 0
  let isBackAtRefresh = false
  const buyer = await createBuyer(shop.address, {
    fetch: async (input, init) => {
      if (String(input).endsWith('/refresh')) {
        refreshes.push(String(input))
        if (isBackAtRefresh) aheadMs = 0
      }
      return shop.service.app.request(String(input), init)
    },
  })
  buyer.parameters.now = () => Date.now() + aheadMs
  const events: CheckoutEvent[] = []
  buyer.parameters.onEvent = (event) => void events.push(event)
  await follow(buyer, () => true)
  return {
    ...buyer,
    refreshes,
    events,
    /** Is away until the quote has so long to go; with `untilRefresh`, back at the moment it is asked for anew. */
    leave: (leftMs: number, { untilRefresh = false } = {}): void => {
      isBackAtRefresh = untilRefresh
      aheadMs = Date.parse(String(buyer.order.quote.expiresAt)) - Date.now() - leftMs
    },
    comeBack: (): void => {
      aheadMs = 0
    },
    getPrice: (): string | undefined =>
      buyer.queryClient.getQueryData(buyer.observed.queryKey)?.quote.totalPrice?.amount,
  }
}

const until = async (isMet: () => boolean): Promise<void> => {
  while (!isMet()) await sleep(20)
}

describe('a quote that is shown', () => {
  test('behavior: is renewed 2 s before it runs out', async () => {
    const buyer = await newBuyer()
    buyer.leave(2_300, { untilRefresh: true })
    const stop = buyer.payment.keep(() => buyer.parameters)
    expect(buyer.refreshes).toEqual([])
    await until(() => buyer.events.length > 0)
    expect(buyer.events).toMatchObject([{ type: 'quote.refreshed', isPriceChanged: false }])
    expect(buyer.payment.getStep().status).toBe('idle')
    stop()
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('paid')
  })

  test('behavior: is not renewed after the last component unmounts', async () => {
    const buyer = await newBuyer()
    buyer.leave(2_100)
    const stops = [1, 2].map(() => buyer.payment.keep(() => buyer.parameters))
    for (const stop of stops) stop()
    await sleep(300)
    expect(buyer.refreshes).toEqual([])
  })

  test('behavior: is never renewed while a payment is being signed, nor while one may be under way', async () => {
    const buyer = await newBuyer()
    buyer.wallet.script.onSend = () => new Promise(() => {})
    const paying = buyer.payment.pay({ ...buyer.parameters, silenceMs: 700 })
    await reach(buyer.payment, 'awaiting-signature')
    buyer.leave(2_050)
    const stop = buyer.payment.keep(() => buyer.parameters)
    // Another tab shows the same order, and knows of the payment by its stored attempt alone.
    const page = buyer.reload()
    await page.parameters.queryClient.fetchQuery(buyer.observed)
    const stopOther = page.payment.keep(() => page.parameters)
    await sleep(300)
    expect(buyer.payment.getStep().status).toBe('awaiting-signature')
    expect(codeOf(await paying)).toBe('pay.uncertain')
    await sleep(300)
    expect(buyer.refreshes).toEqual([])
    stop()
    stopOther()
  })

  test('behavior: a price that moved is paid only after the buyer agreed to it', async () => {
    const buyer = await newBuyer()
    await setPrice('0.02')
    buyer.leave(2_100)
    const stop = buyer.payment.keep(() => buyer.parameters)
    await reach(buyer.payment, 'failed')
    buyer.comeBack()
    expect(buyer.payment.getStep()).toMatchObject({
      error: {
        code: 'pay.price-changed',
        context: { from: '0.01\u00a0ETH', to: '0.02\u00a0ETH' },
        remedy: 'accept-price',
      },
    })
    expect(buyer.getPrice()).toBe('0.02')
    // A press that was meant for the old price pays nothing.
    const total = { amount: '0.01', currency: 'eth' }
    expect(codeOf(await buyer.payment.pay(buyer.parameters, { total }))).toBe('pay.price-changed')
    expect(buyer.countSent()).toBe(0)
    buyer.payment.reset()
    expect(buyer.payment.getStep().status).toBe('idle')
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('paid')
    expect((await follow(buyer, isCompleted)).payment.received?.amount).toBe('0.02')
    stop()
  })

  test('behavior: after another account paid a part, the buyer pays the rest without being asked again', async () => {
    const buyer = await newBuyer()
    const stop = buyer.payment.keep(() => buyer.parameters)
    const whole = parseTransaction(buyer.order.payment.preparation?.serializedTransaction as Hex)
    const account = privateKeyToAccount(generatePrivateKey())
    const other = createTestClient({
      mode: 'anvil',
      account,
      chain: baseSepolia,
      transport: http(shop.address.rpcUrl),
    }).extend(walletActions)
    await other.setBalance({ address: account.address, value: 10n ** 18n })
    const [to, data] = [whole.to as Hex, whole.data as Hex]
    await other.sendTransaction({ to, data, value: parseEther('0.004') })
    const isPrepared = ({ payment }: Order) =>
      payment.remaining !== undefined && payment.preparation?.serializedTransaction !== undefined
    const { payment } = await follow(buyer, isPrepared)
    expect(payment).toMatchObject({ remaining: { amount: '0.006' }, received: { amount: '0.004' } })
    expect(buyer.payment.getStep().status).toBe('idle')
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('paid')
    const done = await follow(buyer, isCompleted)
    expect(done.payment.received?.amount).toBe('0.01')
    expect(done.payment.refunded).toBeUndefined()
    stop()
  })

  test('behavior: a price that came back needs no consent', async () => {
    const buyer = await newBuyer()
    await setPrice('0.02')
    buyer.leave(2_050)
    const stop = buyer.payment.keep(() => buyer.parameters)
    await reach(buyer.payment, 'failed')
    await setPrice('0.01')
    await reach(buyer.payment, 'idle')
    buyer.comeBack()
    stop()
  })

  test('behavior: an untouched page stops renewing', async () => {
    const buyer = await newBuyer()
    // However often it is renewed, it is about to run out.
    const clock = { ...buyer.parameters, now: () => expiresAtMs() - 2_010 }
    const expiresAtMs = (): number =>
      Date.parse(String(buyer.queryClient.getQueryData(buyer.observed.queryKey)?.quote.expiresAt))
    const stop = buyer.payment.keep(() => clock)
    await until(() => buyer.refreshes.length === 6)
    await sleep(300)
    expect(buyer.refreshes).toHaveLength(6)
    stop()
  })
})

describe('a quote that is paid', () => {
  test('behavior: one that would run out in the wallet is renewed first', async () => {
    const buyer = await newBuyer()
    buyer.leave(9_000, { untilRefresh: true })
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('paid')
    expect(buyer.refreshes).toHaveLength(1)
    expect(buyer.countSent()).toBe(1)
  })

  test('error: pay.price-changed when it costs more than was shown', async () => {
    const buyer = await newBuyer()
    await setPrice('0.02')
    buyer.leave(-1_000, { untilRefresh: true })
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('pay.price-changed')
    expect(buyer.refreshes).toHaveLength(1)
    expect(buyer.countSent()).toBe(0)
    // Having been told, the buyer pays.
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('paid')
    expect((await follow(buyer, isCompleted)).payment.received?.amount).toBe('0.02')
  })

  test('parameters: total', async () => {
    const buyer: Buyer = await newBuyer()
    for (const seen of [
      { amount: '0.009', currency: 'eth' },
      { amount: '0.01', currency: 'pol' },
    ])
      expect(codeOf(await buyer.payment.pay(buyer.parameters, { total: seen }))).toBe('pay.price-changed')
    const total = { amount: '0.01', currency: 'eth' }
    expect(codeOf(await buyer.payment.pay(buyer.parameters, { total }))).toBe('paid')
  })

  test('error: pay.reverted with the reason, when the block came after the quote’s end', async () => {
    const buyer = await newBuyer()
    await shop.world.client.setAutomine(false)
    try {
      void buyer.payment.pay(buyer.parameters)
      await reach(buyer.payment, 'confirming', 'failed')
      await shop.world.client.increaseTime({ seconds: 3_600 })
      await shop.world.client.mine({ blocks: 1 })
      const step = await reach(buyer.payment, 'failed')
      expect(step).toMatchObject({
        error: { code: 'pay.reverted', context: { reason: 'the quote had expired' }, remedy: 'pay' },
      })
      expect(buyer.parameters.attemptStore.list(buyer.order.orderId)).toEqual([])
    } finally {
      await shop.world.client.setAutomine(true)
    }
  })
})
