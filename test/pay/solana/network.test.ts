import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createShop, type Shop } from '../../helpers/createShop.js'
import { createSolanaBuyer, type SolanaBuyerOptions, solanaOf } from '../../helpers/createSolanaBuyer.js'
import { codeOf, reach } from '../../helpers/follow.js'
import { away, laggingAt, type Reply, type Script } from '../../helpers/scriptedSolanaNode.js'
import { withRecipient } from '../../helpers/solanaMessages.js'

let shop: Shop
beforeAll(async () => {
  // Its service counts what is final, so that a block can be replaced after it was confirmed.
  shop = await createShop({ solana: { slotMs: 50, commitment: 'finalized' } })
})
afterEach(() => {
  solanaOf(shop).node.cluster.loseTransactions(0)
  solanaOf(shop).startTime()
})
afterAll(() => shop.close())

const newBuyer = (options?: SolanaBuyerOptions) => createSolanaBuyer(shop, options)
type Buyer = Awaited<ReturnType<typeof newBuyer>>

const tick = (blocks: number): void => {
  for (let left = blocks; left > 0; left--) solanaOf(shop).node.tick()
}
/** Enough for a payment to run out, however its wallet renewed it, and for that to be final. */
const lifetime = 500
const later = () => Date.now() + 25_000

const expectPaidOnce = async (buyer: Buyer, requests: number): Promise<void> => {
  await buyer.awaitCompleted()
  expect(buyer.wallet.asked).toHaveLength(requests)
  expect(buyer.listPayments()).toHaveLength(1)
}

describe('a dropped transaction', () => {
  test('behavior: of a wallet that only signs, it is sent again', async () => {
    const buyer = await newBuyer({ isSigningOnly: true })
    const { payment, parameters } = await buyer.openPage()
    solanaOf(shop).node.cluster.loseTransactions(2)
    expect(codeOf(await payment.pay(parameters))).toBe('paid')
    expect(buyer.node.asked.filter((method) => method === 'sendTransaction')).toHaveLength(3)
    await expectPaidOnce(buyer, 1)
  })

  test.each([
    ['sends', false],
    ['only signs', true],
  ])(
    'error: pay.expired, of a wallet that %s, only when no block can have it any more',
    async (_, isSigningOnly) => {
      const buyer = await newBuyer({ isSigningOnly })
      const { payment, parameters } = await buyer.openPage()
      buyer.node.script.onRequest = (method) =>
        method === 'sendTransaction' ? { error: { code: -32_005, message: 'Node is behind' } } : undefined
      solanaOf(shop).node.cluster.loseTransactions(1)
      void payment.pay(parameters)
      await reach(payment, 'broadcast', 'confirming')
      await buyer.awaitLooks(3)
      expect(payment.getStep().status).toMatch(/broadcast|confirming/)
      // A second press joins the first.
      void payment.pay(parameters, { isAgain: true })
      tick(lifetime)
      expect(codeOf(await reach(payment, 'failed', 'paid'))).toBe('pay.expired')
      expect(buyer.attempts()).toEqual([])
      expect(buyer.wallet.asked).toHaveLength(1)
      buyer.node.script.onRequest = () => undefined
      solanaOf(shop).node.cluster.loseTransactions(0)
      expect(codeOf(await payment.pay({ ...parameters, now: later }))).toBe('paid')
      await expectPaidOnce(buyer, 2)
    },
  )
})

describe('a replaced block', () => {
  /** Pays, and stops the time once the payment is confirmed and not final. */
  const payAndStop = async (buyer: Buyer) => {
    const page = await buyer.openPage()
    const { node, stopTime } = solanaOf(shop)
    stopTime()
    void page.payment.pay(page.parameters)
    await reach(page.payment, 'broadcast', 'confirming')
    await expect.poll(() => page.payment.getStep().status).toBe('confirming')
    tick(3)
    await reach(page.payment, 'paid')
    return { ...page, cluster: node.cluster }
  }

  test('behavior: whose transaction lands again', async () => {
    const buyer = await newBuyer()
    const { payment, cluster } = await payAndStop(buyer)
    cluster.fork(3, true)
    cluster.skipSlot()
    expect(buyer.listPayments()).toEqual([])
    solanaOf(shop).startTime()
    await expectPaidOnce(buyer, 1)
    await reach(payment, 'paid')
  })

  test('behavior: whose transaction is lost, a wallet that only signs has it sent again', async () => {
    const buyer = await newBuyer({ isSigningOnly: true })
    const { payment, cluster } = await payAndStop(buyer)
    const countSent = () => buyer.node.asked.filter((method) => method === 'sendTransaction').length
    const sent = countSent()
    cluster.fork(3)
    tick(4)
    expect(buyer.listPayments()).toEqual([])
    // Slots here are eight times as fast as real ones, so the message would run out before the page looks twice.
    await expect.poll(countSent).toBeGreaterThan(sent)
    solanaOf(shop).startTime()
    await expectPaidOnce(buyer, 1)
    await reach(payment, 'paid')
  })

  test('behavior: whose transaction is lost for good, the buyer may pay again, and pays once', async () => {
    const buyer = await newBuyer()
    const { payment, parameters, cluster } = await payAndStop(buyer)
    cluster.fork(3)
    tick(4)
    solanaOf(shop).startTime()
    await reach(payment, 'broadcast', 'confirming')
    await buyer.awaitLooks(1)
    tick(lifetime)
    expect(codeOf(await reach(payment, 'failed'))).toBe('pay.expired')
    expect(codeOf(await payment.pay({ ...parameters, now: later }))).toBe('paid')
    await expectPaidOnce(buyer, 2)
  })
})

describe('a failed transaction', () => {
  /** A wallet that sends without trying first, right after its owner has spent the money elsewhere. */
  const spendFirst = (buyer: Buyer): void => {
    buyer.wallet.script.onAsk = async ({ message, sign }) => {
      const { cluster } = solanaOf(shop).node
      cluster.submit(sign(withRecipient(message, solanaOf(shop).operator)))
      const transaction = sign(message)
      cluster.submit(transaction)
      return transaction
    }
  }

  test('error: pay.reverted once its block is final, and the buyer may pay again', async () => {
    const buyer = await newBuyer({ lamports: 900_000_000n })
    const { payment, parameters } = await buyer.openPage()
    spendFirst(buyer)
    const step = await payment.pay(parameters)
    expect(codeOf(step)).toBe('pay.reverted')
    const { cluster } = solanaOf(shop).node
    const txId = 'error' in step && 'txId' in step.error.context ? String(step.error.context.txId) : ''
    expect(cluster.findTransaction(txId, 'finalized')?.error).toBeDefined()
    expect(buyer.attempts()).toEqual([])
    await solanaOf(shop).fund(buyer.key.address, 'sol', 1_000_000_000n)
    buyer.wallet.script.onAsk = (_, proceed) => proceed()
    expect(codeOf(await payment.pay({ ...parameters, now: later }))).toBe('paid')
    await expectPaidOnce(buyer, 2)
  })

  test('behavior: whose block is replaced, it may still succeed, and is paid once', async () => {
    const buyer = await newBuyer({ lamports: 900_000_000n })
    const { payment, parameters } = await buyer.openPage()
    const { node, startTime, stopTime } = solanaOf(shop)
    spendFirst(buyer)
    stopTime()
    void payment.pay(parameters)
    await reach(payment, 'broadcast', 'confirming')
    tick(3)
    const statuses = (): number =>
      buyer.node.asked.filter((method) => method === 'getSignatureStatuses').length
    const seen = statuses()
    await expect.poll(statuses).toBeGreaterThan(seen + 1)
    expect(payment.getStep().status).toMatch(/broadcast|confirming/)
    expect(buyer.attempts()).toHaveLength(1)
    // The other block has the payment, and not what was spent before it.
    node.cluster.fork(3)
    const [message = new Uint8Array()] = buyer.wallet.asked
    node.cluster.submit(buyer.key.sign(message))
    startTime()
    await reach(payment, 'paid')
    await expectPaidOnce(buyer, 1)
  })
})

describe('the node', () => {
  test('behavior: is away while the payment runs out, so nothing is said until it is back', async () => {
    const buyer = await newBuyer()
    const { payment, parameters } = await buyer.openPage()
    let hasAnswered = false
    buyer.node.script.onRequest = (...call) => (hasAnswered ? away(...call) : undefined)
    buyer.wallet.script.onAsk = async (_, proceed) => {
      hasAnswered = true
      return proceed()
    }
    buyer.service.fetch = async (input, init) =>
      hasAnswered ? Promise.reject(new TypeError('fetch failed')) : (shop.address.fetch ?? fetch)(input, init)
    void payment.pay(parameters)
    await reach(payment, 'broadcast')
    tick(lifetime)
    const asked = buyer.node.asked.length
    await expect.poll(() => buyer.node.asked.length).toBeGreaterThan(asked + 2)
    expect(payment.getStep().status).toBe('broadcast')
    hasAnswered = false
    expect(codeOf(await reach(payment, 'paid', 'failed'))).toBe('paid')
    buyer.service.fetch = shop.address.fetch ?? fetch
    await expectPaidOnce(buyer, 1)
  })

  /** Nodes behind one address: the height is read from the one that is ahead, all else from another. */
  const beside =
    (other: Script): Script =>
    (method, ...rest) =>
      method === 'getEpochInfo' ? undefined : other(method, ...rest)

  /** A node that does not know the payment by its signature, and lists transactions in its own way. */
  const listing =
    (reply: Reply): Script =>
    (method) => {
      if (method === 'getSignaturesForAddress') return reply
      return method === 'getSignatureStatuses' ? { result: { value: [null] } } : undefined
    }

  test.each([
    ['refuses what it has not reached', (slot: bigint) => laggingAt(slot)],
    ['answers with no list', () => listing({ result: null })],
    ['answers in another form', () => listing({ result: { value: {} } })],
    [
      'lists a transaction that it does not have',
      (): Script => (method) =>
        method === 'getTransaction'
          ? { result: null }
          : method === 'getSignatureStatuses'
            ? { result: { value: [null] } }
            : undefined,
    ],
  ])(
    'behavior: that lags behind others at one address does not give a payment up: it %s',
    async (_, open) => {
      const buyer = await newBuyer()
      const { payment, parameters } = await buyer.openPage()
      const away = (): Promise<never> => Promise.reject(new TypeError('fetch failed'))
      const askService = shop.address.fetch ?? fetch
      buyer.wallet.script.onAsk = async (__, proceed) => {
        buyer.node.script.onRequest = beside(open(solanaOf(shop).node.cluster.blockAt('confirmed').slot))
        buyer.service.fetch = away
        return proceed()
      }
      void payment.pay(parameters)
      await reach(payment, 'broadcast')
      tick(lifetime)
      const asked = buyer.node.asked.length
      await expect.poll(() => buyer.node.asked.length).toBeGreaterThan(asked + 3)
      expect(payment.getStep().status).toBe('broadcast')
      expect(buyer.attempts()).toHaveLength(1)
      buyer.node.script.onRequest = () => undefined
      expect(codeOf(await reach(payment, 'paid', 'failed'))).toBe('paid')
      buyer.service.fetch = askService
      await expectPaidOnce(buyer, 1)
    },
  )
})
