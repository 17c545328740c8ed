import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createShop, type Shop } from '../../helpers/createShop.js'
import { createSolanaBuyer, type SolanaBuyerOptions, solanaOf } from '../../helpers/createSolanaBuyer.js'
import { codeOf, reach } from '../../helpers/follow.js'
import { away } from '../../helpers/scriptedSolanaNode.js'

let shop: Shop
beforeAll(async () => {
  shop = await createShop({ solana: { slotMs: 50 } })
})
afterAll(() => shop.close())

const newBuyer = (options?: SolanaBuyerOptions) => createSolanaBuyer(shop, options)

/** Runs a task while no block is made. */
const withoutBlocks = async (work: () => Promise<void>): Promise<void> => {
  const { startTime, stopTime } = solanaOf(shop)
  stopTime()
  try {
    await work()
  } finally {
    startTime()
  }
}

const silenceMs = 100
const wallets = [
  ['a wallet that sends', false],
  ['a wallet that only signs', true],
] as const

describe('a reload', () => {
  test.each(wallets)('behavior: before %s has answered', async (_, isSigningOnly) => {
    const buyer = await newBuyer({ isSigningOnly })
    const first = await buyer.openPage()
    let answer = (): void => {}
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    let signed: Uint8Array = new Uint8Array()
    buyer.wallet.script.onAsk = async (__, proceed) => {
      await answered
      signed = await proceed()
      return signed
    }
    void first.payment.pay(first.parameters)
    await expect.poll(() => buyer.wallet.asked.length).toBe(1)
    expect(buyer.attempts()).toHaveLength(1)
    first.leave()

    const second = await buyer.openPage()
    expect(codeOf(await second.payment.resume(second.parameters))).toBe('pay.uncertain')
    expect(codeOf(await second.payment.pay(second.parameters))).toBe('pay.uncertain')
    expect(buyer.wallet.asked).toHaveLength(1)
    answer()
    if (!isSigningOnly) await reach(second.payment, 'paid')
    else {
      // The page that would have sent it is gone, so it runs out.
      await expect.poll(() => signed.length).toBeGreaterThan(0)
      for (let blocks = 0; blocks < 500; blocks++) solanaOf(shop).node.tick()
      expect(codeOf(await reach(second.payment, 'failed'))).toBe('pay.expired')
      buyer.wallet.script.onAsk = (__, proceed) => proceed()
      const now = () => Date.now() + 25_000
      expect(codeOf(await second.payment.pay({ ...second.parameters, now }))).toBe('paid')
    }
    await buyer.awaitCompleted()
    expect(buyer.listPayments()).toHaveLength(1)
  })

  test.each(wallets)('behavior: after the answer of %s, before any block', async (_, isSigningOnly) => {
    const buyer = await newBuyer({ isSigningOnly })
    const first = await buyer.openPage()
    await withoutBlocks(async () => {
      void first.payment.pay(first.parameters)
      await reach(first.payment, 'broadcast')
      first.leave()
      const second = await buyer.openPage()
      void second.payment.resume(second.parameters)
      await reach(second.payment, 'broadcast', 'confirming')
      void second.payment.pay(second.parameters)
      second.leave()
    })
    const third = await buyer.openPage()
    await third.payment.resume(third.parameters)
    expect(third.payment.getStep()).toEqual({ status: 'paid', txId: buyer.listPayments()[0] })
    await buyer.awaitCompleted()
    expect(buyer.wallet.asked).toHaveLength(1)
    expect(buyer.listPayments()).toHaveLength(1)
  })

  test('behavior: after a wallet signed and before the node took it, the next page sends it', async () => {
    const buyer = await newBuyer({ isSigningOnly: true })
    const first = await buyer.openPage()
    buyer.node.script.onRequest = (method) =>
      method === 'sendTransaction' ? { error: { code: -32_005, message: 'Node is behind' } } : undefined
    void first.payment.pay(first.parameters)
    await reach(first.payment, 'broadcast')
    first.leave()
    buyer.node.script.onRequest = () => undefined
    const second = await buyer.openPage()
    expect(codeOf(await second.payment.resume(second.parameters))).toBe('paid')
    await buyer.awaitCompleted()
    expect(buyer.wallet.asked).toHaveLength(1)
    expect(buyer.listPayments()).toHaveLength(1)
  })

  test('behavior: after the payment is in a block, while the service is away', async () => {
    const buyer = await newBuyer()
    const first = await buyer.openPage()
    void first.payment.pay(first.parameters)
    await reach(first.payment, 'broadcast')
    first.leave()
    buyer.service.fetch = () => Promise.reject(new TypeError('fetch failed'))
    const second = await buyer.openPage()
    expect(codeOf(await second.payment.resume(second.parameters))).toBe('paid')
    expect(buyer.wallet.asked).toHaveLength(1)
  })

  test('behavior: after the payment is in a block, while the node is away, the service tells', async () => {
    const buyer = await newBuyer()
    const first = await buyer.openPage()
    void first.payment.pay(first.parameters)
    await reach(first.payment, 'broadcast')
    first.leave()
    buyer.node.script.onRequest = away
    await buyer.awaitCompleted()
    const second = await buyer.openPage()
    expect(codeOf(await second.payment.resume(second.parameters))).toBe('paid')
    expect(codeOf(await second.payment.pay(second.parameters))).toBe('paid')
    expect(buyer.wallet.asked).toHaveLength(1)
  })

  test('behavior: in an app that takes Solana no more, an attempt is kept', async () => {
    const buyer = await newBuyer()
    const first = await buyer.openPage()
    buyer.wallet.script.onAsk = () => new Promise(() => {})
    expect(codeOf(await first.payment.pay({ ...first.parameters, silenceMs }))).toBe('pay.uncertain')
    first.leave()
    const second = await buyer.openPage()
    const without = { ...second.parameters, solana: undefined }
    expect(codeOf(await second.payment.resume(without))).toBe('pay.uncertain')
    expect(codeOf(await second.payment.pay(without, { isAgain: true }))).toBe('pay.chain-not-configured')
    expect(buyer.attempts()).toHaveLength(1)
    expect(buyer.wallet.asked).toHaveLength(1)
  })
})

describe('two tabs', () => {
  test('behavior: pressed in both at once, one asks and the other says so', async () => {
    const buyer = await newBuyer()
    const [one, other] = [await buyer.openPage(), await buyer.openPage()]
    const codes = await Promise.all([
      one.payment.pay(one.parameters).then(codeOf),
      other.payment.pay(other.parameters).then(codeOf),
    ])
    expect(codes.sort()).toEqual(['paid', 'pay.in-other-tab'])
    await buyer.awaitCompleted()
    expect(buyer.wallet.asked).toHaveLength(1)
    expect(buyer.listPayments()).toHaveLength(1)
  })

  test('behavior: what one tab leaves uncertain, the other asks for no second time', async () => {
    const buyer = await newBuyer()
    const [one, other] = [await buyer.openPage(), await buyer.openPage()]
    let send = async (): Promise<unknown> => undefined
    buyer.wallet.script.onAsk = (_, proceed) => {
      send = proceed
      return new Promise(() => {})
    }
    expect(codeOf(await one.payment.pay({ ...one.parameters, silenceMs }))).toBe('pay.uncertain')
    expect(codeOf(await other.payment.pay(other.parameters))).toBe('pay.uncertain')
    expect(buyer.wallet.asked).toHaveLength(1)
    await send()
    await Promise.all([reach(one.payment, 'paid'), reach(other.payment, 'paid')])
    await buyer.awaitCompleted()
    expect(buyer.listPayments()).toHaveLength(1)
  })

  test('behavior: a tab that searches does not forget what the wallet has answered in the other meanwhile', async () => {
    const buyer = await newBuyer()
    const [one, other] = [await buyer.openPage(), await buyer.openPage()]
    const { node } = solanaOf(shop)
    let answer = (_: Uint8Array): void => {}
    buyer.wallet.script.onAsk = () =>
      new Promise((resolve) => {
        answer = resolve
      })
    expect(codeOf(await one.payment.pay({ ...one.parameters, silenceMs }))).toBe('pay.uncertain')
    expect(codeOf(await other.payment.resume(other.parameters))).toBe('pay.uncertain')
    await buyer.awaitLooks(2)
    // The wallet answers in the first tab, and the network takes its time. What it was asked for runs out.
    const [message = new Uint8Array()] = buyer.wallet.asked
    answer(buyer.key.sign(message))
    await reach(one.payment, 'broadcast', 'confirming')
    const [attempt] = buyer.attempts()
    expect(attempt?.txId).toBeDefined()
    // Only the other tab looks from here on.
    one.leave()
    for (let blocks = 0; blocks < 170; blocks++) node.tick()
    await buyer.awaitLooks(2)
    expect(buyer.attempts()).toHaveLength(1)
    expect(buyer.wallet.asked).toHaveLength(1)
  })
})
