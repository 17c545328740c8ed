import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createShop, type Shop } from '../../helpers/createShop.js'
import { createSolanaBuyer, type SolanaBuyerOptions, solanaOf } from '../../helpers/createSolanaBuyer.js'
import { codeOf, reach } from '../../helpers/follow.js'
import { ProviderError } from '../../helpers/scriptedWallet.js'
import { editMessage, withAmount } from '../../helpers/solanaMessages.js'

let shop: Shop
beforeAll(async () => {
  shop = await createShop({ solana: { slotMs: 50 } })
})
afterAll(() => shop.close())

const newBuyer = (options?: SolanaBuyerOptions) => createSolanaBuyer(shop, options)
type Buyer = Awaited<ReturnType<typeof newBuyer>>

/** Lets the blocks pass in which a payment could still come, and those that make them final. */
const expire = (blocks = 500): void => {
  for (let left = blocks; left > 0; left--) solanaOf(shop).node.tick()
}

/** Makes the wallet's next request wait until the test lets it go on. */
const holdNext = ({ wallet }: Buyer) => {
  let goOn = (): void => {}
  let refuse = (_: unknown): void => {}
  const held = new Promise<void>((resolve, reject) => {
    goOn = resolve
    refuse = reject
  })
  const answered = new Promise<void>((resolve) => {
    wallet.script.onAsk = async (_, proceed) => {
      wallet.script.onAsk = (__, next) => next()
      try {
        await held
        return await proceed()
      } finally {
        setTimeout(resolve)
      }
    }
  })
  return {
    goOn: async () => {
      goOn()
      await answered
    },
    refuse: async (cause: unknown) => {
      refuse(cause)
      await answered
    },
  }
}

const silenceMs = 100
/** So much later that the price, and with it the message to sign, is renewed. */
const later = () => Date.now() + 25_000

describe('a wallet that stays silent', () => {
  test.each([
    ['sends', false],
    ['only signs', true],
  ])('behavior: it %s after the wait for it ended, and the payment is found', async (_, isSigningOnly) => {
    const buyer = await newBuyer({ isSigningOnly })
    const { payment, parameters } = await buyer.openPage()
    const request = holdNext(buyer)
    const step = await payment.pay({ ...parameters, silenceMs })
    expect(codeOf(step)).toBe('pay.uncertain')
    expect(buyer.attempts()).toHaveLength(1)
    // Pressing again asks for nothing while the first request may be paid.
    expect(codeOf(await payment.pay({ ...parameters, silenceMs }))).toBe('pay.uncertain')
    await request.goOn()
    await reach(payment, 'paid')
    await buyer.awaitCompleted()
    expect(buyer.wallet.asked).toHaveLength(1)
    expect(buyer.listPayments()).toHaveLength(1)
  })

  test('behavior: it sends and never answers, and the payment is found on the chain', async () => {
    const buyer = await newBuyer()
    const { payment, parameters } = await buyer.openPage()
    // The service does not tell either.
    buyer.service.fetch = async (input, init) =>
      buyer.wallet.asked.length ? Promise.reject(new TypeError('fetch failed')) : fetchOf(buyer)(input, init)
    buyer.wallet.script.onAsk = async (_, proceed) => {
      await proceed()
      return new Promise(() => {})
    }
    void payment.pay({ ...parameters, silenceMs })
    expect(await reach(payment, 'paid')).toEqual({ status: 'paid', txId: buyer.listPayments()[0] })
    expect(buyer.wallet.asked).toHaveLength(1)
  })

  test('behavior: it refuses after the wait for it ended, so nothing is uncertain any more', async () => {
    const buyer = await newBuyer()
    const { payment, parameters } = await buyer.openPage()
    const request = holdNext(buyer)
    expect(codeOf(await payment.pay({ ...parameters, silenceMs }))).toBe('pay.uncertain')
    await request.refuse(new ProviderError(4001, 'rejected'))
    expect(codeOf(await reach(payment, 'failed'))).toBe('pay.rejected')
    expect(buyer.attempts()).toEqual([])
    expect(codeOf(await payment.pay(parameters))).toBe('paid')
    expect(buyer.listPayments()).toHaveLength(1)
  })

  test('error: pay.expired once it can be paid no more, and what it signs later is not sent', async () => {
    const buyer = await newBuyer({ isSigningOnly: true })
    const { payment, parameters } = await buyer.openPage()
    const request = holdNext(buyer)
    expect(codeOf(await payment.pay({ ...parameters, silenceMs }))).toBe('pay.uncertain')
    expire()
    expect(codeOf(await reach(payment, 'failed'))).toBe('pay.expired')
    expect(buyer.attempts()).toEqual([])
    await request.goOn()
    expect(buyer.node.asked).not.toContain('sendTransaction')
    expect(codeOf(await payment.pay({ ...parameters, now: later }))).toBe('paid')
    expect(buyer.listPayments()).toHaveLength(1)
  })

  test('behavior: a wallet that sends may renew the message, so its silence is no proof that nothing comes', async () => {
    const buyer = await newBuyer()
    const { payment, parameters } = await buyer.openPage()
    const request = holdNext(buyer)
    expect(codeOf(await payment.pay({ ...parameters, silenceMs }))).toBe('pay.uncertain')
    expire()
    const looks = () => buyer.node.asked.filter((method) => method === 'getEpochInfo').length
    const before = looks()
    await expect.poll(looks).toBeGreaterThan(before + 1)
    expect(codeOf(payment.getStep())).toBe('pay.uncertain')
    expect(buyer.attempts()).toHaveLength(1)
    await request.refuse(new ProviderError(4001, 'rejected'))
    expect(codeOf(await reach(payment, 'failed'))).toBe('pay.rejected')
  })

  test('behavior: what a wallet signs after the buyer has paid again is not sent', async () => {
    const buyer = await newBuyer({ isSigningOnly: true })
    const { payment, parameters } = await buyer.openPage()
    const request = holdNext(buyer)
    expect(codeOf(await payment.pay({ ...parameters, silenceMs }))).toBe('pay.uncertain')
    const again = { ...parameters, now: later }
    expect(codeOf(await payment.pay(again, { isAgain: true }))).toBe('paid')
    expect(buyer.wallet.asked).toHaveLength(2)
    expect(buyer.wallet.asked[0]).not.toEqual(buyer.wallet.asked[1])
    const sent = buyer.node.asked.filter((method) => method === 'sendTransaction').length
    await request.goOn()
    await buyer.awaitCompleted()
    expect(buyer.node.asked.filter((method) => method === 'sendTransaction')).toHaveLength(sent)
    expect(buyer.listPayments()).toHaveLength(1)
  })

  test('behavior: what a wallet signs while the buyer is asked for a newer payment is not sent', async () => {
    const buyer = await newBuyer({ isSigningOnly: true })
    const { payment, parameters } = await buyer.openPage()
    const first = holdNext(buyer)
    expect(codeOf(await payment.pay({ ...parameters, silenceMs }))).toBe('pay.uncertain')
    const second = holdNext(buyer)
    void payment.pay({ ...parameters, now: later }, { isAgain: true })
    await expect.poll(() => buyer.wallet.asked.length).toBe(2)
    await first.goOn()
    expect(buyer.node.asked).not.toContain('sendTransaction')
    await second.goOn()
    await reach(payment, 'paid')
    await buyer.awaitCompleted()
    expect(buyer.listPayments()).toHaveLength(1)
  })
})

const fetchOf = (_: Buyer) => shop.address.fetch ?? fetch

describe('a wallet that answers wrongly', () => {
  test.each([
    ['breaks off', new Error('the connection to the wallet was lost')],
    ['says that it is disconnected', new ProviderError(4900, 'disconnected')],
    ['breaks with an internal error', new ProviderError(-32_603, 'internal')],
  ])('behavior: it %s after it has sent, and the payment is found', async (_, error) => {
    const buyer = await newBuyer()
    const { payment, parameters } = await buyer.openPage()
    buyer.wallet.script.onAsk = async (__, proceed) => {
      await proceed()
      throw error
    }
    expect(codeOf(await payment.pay(parameters))).toBe('pay.uncertain')
    await reach(payment, 'paid')
    await buyer.awaitCompleted()
    expect(buyer.wallet.asked).toHaveLength(1)
    expect(buyer.listPayments()).toHaveLength(1)
  })

  test('behavior: an empty signature is no answer', async () => {
    const buyer = await newBuyer()
    const { payment, parameters } = await buyer.openPage()
    buyer.wallet.script.onAsk = async () => new Uint8Array()
    expect(codeOf(await payment.pay(parameters))).toBe('pay.uncertain')
    expect(buyer.attempts()).toHaveLength(1)
  })

  /** A transaction of the buyer that pays something else, in a block. */
  const sendOther = async (buyer: Buyer, message: Uint8Array): Promise<Uint8Array> => {
    const other = buyer.key.sign(withAmount(message, 1_000_000n))
    await buyer.wallet.send(other)
    return other
  }

  test('behavior: the signature of something else is not the payment, which is found', async () => {
    const buyer = await newBuyer()
    const { payment, parameters } = await buyer.openPage()
    buyer.wallet.script.onAsk = async ({ message }, proceed) => {
      const other = await sendOther(buyer, message)
      await proceed()
      return other
    }
    const step = await payment.pay(parameters)
    const [, txId] = buyer.listPayments()
    expect(step.status).toBe('paid')
    const { payment: paid } = await buyer.awaitCompleted()
    expect(paid.received?.txId).toBe(txId)
    expect(buyer.wallet.asked).toHaveLength(1)
  })

  test('error: pay.expired when the answer is a stranger’s signature and the payment was never sent', async () => {
    const [buyer, stranger] = [await newBuyer(), await newBuyer()]
    const { payment, parameters } = await buyer.openPage()
    const elsewhere = await stranger.openPage()
    await elsewhere.payment.pay(elsewhere.parameters)
    const [message = new Uint8Array()] = stranger.wallet.asked
    buyer.wallet.script.onAsk = async () => stranger.key.sign(message)
    void payment.pay(parameters)
    await reach(payment, 'broadcast', 'confirming')
    // The stranger's payment is final, so that its signature stays known.
    await buyer.awaitLooks(1)
    expire()
    expect(codeOf(await reach(payment, 'failed', 'paid'))).toBe('pay.expired')
    buyer.wallet.script.onAsk = (_, proceed) => proceed()
    expect(codeOf(await payment.pay({ ...parameters, now: later }))).toBe('paid')
    expect(buyer.listPayments()).toHaveLength(1)
  })

  test('behavior: a wallet that puts a newer block into the message is not given up when the asked one runs out', async () => {
    const buyer = await newBuyer()
    const { payment, parameters } = await buyer.openPage()
    const { node } = solanaOf(shop)
    let send = async (): Promise<void> => {}
    buyer.wallet.script.onAsk = async ({ message, sign }) => {
      // The buyer takes long. Meanwhile the message has nearly run out, and the wallet renews it.
      for (let blocks = 0; blocks < 140; blocks++) node.tick()
      const { blockhash } = node.cluster.blockAt('confirmed')
      const renewed = sign(editMessage(message, (draft) => ({ ...draft, blockhash })))
      send = () => buyer.wallet.send(renewed)
      return renewed
    }
    void payment.pay(parameters)
    await reach(payment, 'broadcast')
    // What was asked for has run out, and that is final. What was sent has not.
    for (let blocks = 0; blocks < 60; blocks++) node.tick()
    await buyer.awaitLooks(3)
    expect(payment.getStep().status).toBe('confirming')
    expect(buyer.attempts()).toHaveLength(1)
    await send()
    await reach(payment, 'paid')
    expect(buyer.listPayments()).toHaveLength(1)
  })
})
