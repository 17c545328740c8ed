import { describe, expect, test } from 'vitest'
import { createClient, editOrder, getOrder, refreshOrder } from '../../src/api/index.js'
import type { Locks } from '../../src/pay/payContext.js'
import type { PayStep } from '../../src/query.js'
import type { Order } from '../../src/schema/index.js'
import { type Buyer, type BuyerOptions, createBuyer } from '../helpers/createBuyer.js'
import { codeOf, follow, isCompleted } from '../helpers/follow.js'
import { ProviderError } from '../helpers/scriptedWallet.js'
import { useShop } from '../helpers/useShop.js'

const shop = useShop()

const newBuyer = (options?: BuyerOptions): Promise<Buyer> => createBuyer(shop.address, options)

const watchSteps = (buyer: Buyer): PayStep['status'][] => {
  const statuses: PayStep['status'][] = []
  buyer.payment.subscribe(() => statuses.push(buyer.payment.getStep().status))
  return statuses
}

describe('payOrder', () => {
  test('default', async () => {
    const buyer = await newBuyer()
    const statuses = watchSteps(buyer)
    const completed = follow(buyer, isCompleted)
    const step = await buyer.payment.pay(buyer.parameters)
    expect(step.status).toBe('paid')
    expect(statuses).toEqual(['checking', 'awaiting-signature', 'broadcast', 'confirming', 'paid'])
    const order = await completed
    expect(order.lineItems[0]?.delivery.status).toBe('completed')
    const token = order.lineItems[0]?.delivery.tokens?.[0]
    const owner = await shop.world.chain.ownerOf({
      contractAddress: String(token?.contractAddress),
      tokenId: BigInt(String(token?.tokenId)),
    })
    expect(owner).toBe(buyer.account.address)
  })

  test('parameters: currency usdc', async () => {
    const buyer = await newBuyer({ currency: 'usdc' })
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('pay.insufficient-funds')
    expect(buyer.countSent()).toBe(0)
    await shop.mintTokens('usdc', 100_000_000n, buyer.account.address)
    await follow(buyer, (order) => order.payment.status === 'awaiting-payment')
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('paid')
    const order = await follow(buyer, isCompleted)
    expect(order.payment.received).toMatchObject({ amount: '30', currency: 'usdc', chain: 'base-sepolia' })
  })

  test('behavior: a second call joins the first', async () => {
    const buyer = await newBuyer()
    const steps = await Promise.all([1, 2, 3].map(() => buyer.payment.pay(buyer.parameters)))
    expect(steps.map(({ status }) => status)).toEqual(['paid', 'paid', 'paid'])
    expect(buyer.countSent()).toBe(1)
  })

  test('behavior: an order that is paid is never paid again', async () => {
    const buyer = await newBuyer()
    await buyer.payment.pay(buyer.parameters)
    await follow(buyer, isCompleted)
    const { payment, parameters } = buyer.reload()
    expect(codeOf(await payment.pay(parameters))).toBe('paid')
    expect(buyer.countSent()).toBe(1)
  })

  test('behavior: after a reload the sent payment is followed, the wallet is not asked again', async () => {
    const buyer = await newBuyer()
    await shop.world.client.setAutomine(false)
    try {
      // This page is closed while the payment waits for its block.
      const left = new Promise<void>((resolve) => {
        buyer.payment.subscribe(() => buyer.payment.getStep().status === 'confirming' && resolve())
      })
      void buyer.payment.pay(buyer.parameters)
      await left
      const { payment, parameters } = buyer.reload()
      const paid = payment.resume(parameters)
      await shop.world.client.mine({ blocks: 1 })
      expect(codeOf(await paid)).toBe('paid')
    } finally {
      await shop.world.client.setAutomine(true)
    }
    expect(buyer.countSent()).toBe(1)
  })

  test('behavior: an attempt that never came back needs the buyer to choose', async () => {
    const buyer = await newBuyer()
    buyer.wallet.script.onSend = () => new Promise(() => {})
    const asked = new Promise<void>((resolve) => {
      buyer.payment.subscribe(() => buyer.payment.getStep().status === 'awaiting-signature' && resolve())
    })
    void buyer.payment.pay(buyer.parameters)
    await asked
    buyer.wallet.script.onSend = (send) => send()
    const { payment, parameters } = buyer.reload()
    expect((await payment.resume(parameters)).status).toBe('uncertain')
    expect(codeOf(await payment.pay(parameters))).toBe('pay.uncertain')
    expect((await payment.pay(parameters, { isAgain: true })).status).toBe('paid')
  })

  test('behavior: nothing is resumed where nothing was begun', async () => {
    const buyer = await newBuyer()
    expect(await buyer.payment.resume(buyer.parameters)).toEqual({ status: 'idle' })
  })

  test('behavior: a payment goes on while the service is away, and the order catches up', async () => {
    let isAway = false
    const buyer = await newBuyer({
      fetch: async (input, init) => {
        if (isAway) throw new TypeError('fetch failed')
        return shop.service.app.request(String(input), init)
      },
    })
    buyer.wallet.script.onSend = (send) => {
      isAway = true
      return send()
    }
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('paid')
    isAway = false
    expect((await follow(buyer, isCompleted)).lineItems[0]?.delivery.status).toBe('completed')
  })

  test('error: pay.rejected, and the buyer can go on', async () => {
    const buyer = await newBuyer()
    buyer.wallet.script.onSend = async () => {
      throw new ProviderError(4001, 'User rejected the request.')
    }
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('pay.rejected')
    buyer.wallet.script.onSend = (send) => send()
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('paid')
  })

  test('error: pay.uncertain when the wallet breaks off without an answer', async () => {
    const buyer = await newBuyer()
    buyer.wallet.script.onSend = async () => {
      throw new Error('the connection to the wallet was lost')
    }
    expect((await buyer.payment.pay(buyer.parameters)).status).toBe('uncertain')
    buyer.wallet.script.onSend = (send) => send()
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('pay.uncertain')
    expect(buyer.countSent()).toBe(1)
    expect(codeOf(await buyer.payment.pay(buyer.parameters, { isAgain: true }))).toBe('paid')
  })

  test('error: pay.uncertain when the wallet has sent and then answers with its own error', async () => {
    const buyer = await newBuyer()
    buyer.wallet.script.onSend = async (send) => {
      await send()
      throw new ProviderError(-32603, 'internal error')
    }
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('pay.uncertain')
    await follow(buyer, isCompleted)
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('paid')
    expect(buyer.countSent()).toBe(1)
  })

  test('error: pay.wallet-failed when the wallet does not understand, and the buyer can go on', async () => {
    const buyer = await newBuyer()
    buyer.wallet.script.onSend = async () => {
      throw new ProviderError(-32602, 'invalid params')
    }
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('pay.wallet-failed')
    buyer.wallet.script.onSend = (send) => send()
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('paid')
  })

  test('behavior: a declined second attempt does not make the first one forgotten', async () => {
    const buyer = await newBuyer()
    buyer.wallet.script.onSend = async () => {
      throw new Error('the connection to the wallet was lost')
    }
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('pay.uncertain')
    buyer.wallet.script.onSend = async () => {
      throw new ProviderError(4001, 'no')
    }
    const declined = await buyer.payment.pay(buyer.parameters, { isAgain: true })
    // Not "nothing was sent": the first may have been.
    expect(declined).toMatchObject({
      status: 'uncertain',
      error: { code: 'pay.uncertain', cause: { code: 'pay.rejected' } },
    })
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('pay.uncertain')
  })

  test('behavior: a storage that refuses does not stop the payment, nor make it forgotten', async () => {
    const buyer = await newBuyer()
    buyer.storage.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('paid')
    expect(buyer.countSent()).toBe(1)
  })

  test('error: pay.order-changed when the order was edited while the wallet switched its network', async () => {
    const buyer = await newBuyer()
    await shop.mintTokens('usdc', 100_000_000n, buyer.account.address)
    let answered = 0
    const { client } = buyer
    const editing = {
      ...client,
      fetch: (async (input, init) => {
        // Between the first and the last read of the order, another client changes its currency.
        if ((init?.method ?? 'GET') === 'GET' && answered++ === 1) {
          const body = { payment: { ...buyer.body.payment, currency: 'usdc' } }
          await editOrder(client, { ...buyer.parameters, body })
        }
        return client.fetch(input, init)
      }) as typeof fetch,
    }
    expect(codeOf(await buyer.payment.pay({ ...buyer.parameters, client: editing }))).toBe(
      'pay.order-changed',
    )
    expect(buyer.countSent()).toBe(0)
  })

  test('behavior: a quote that another client renews meanwhile, at the same price, is paid as it is now', async () => {
    const buyer = await newBuyer()
    const { client, parameters } = buyer
    const seen: Order[] = []
    const readDeadline = ({ quote }: Order) => Math.floor(Date.parse(quote.expiresAt ?? '') / 1000)
    const onBeforePay = async ({ order }: { order: Order }): Promise<void> => {
      seen.push(order)
      if (seen.length > 1) return
      await expect
        .poll(async () => readDeadline(await refreshOrder(client, parameters)))
        .not.toBe(readDeadline(order))
    }
    expect(codeOf(await buyer.payment.pay({ ...parameters, onBeforePay }))).toBe('paid')
    expect(buyer.countSent()).toBe(1)
    const [before, after] = seen.map(({ payment }) => payment.preparation?.serializedTransaction)
    expect(before).not.toBe(after)
    const { params } = buyer.wallet.asked.find(({ method }) => method === 'eth_sendTransaction') ?? {}
    const [{ data = '' } = {}] = (params ?? []) as { data?: string }[]
    expect(after).toContain(data.slice(2))
  })

  test('error: pay.wrong-account', async () => {
    const buyer = await newBuyer()
    buyer.wallet.script.accounts = ['0x00000000000000000000000000000000000000AA']
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('pay.wrong-account')
    expect(buyer.countSent()).toBe(0)
  })

  test('error: pay.insufficient-funds', async () => {
    const buyer = await newBuyer({ nativeWei: 1_000n })
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('pay.insufficient-funds')
    expect(buyer.countSent()).toBe(0)
  })

  test('error: pay.quote-expired', async () => {
    const buyer = await newBuyer()
    const later = { ...buyer.parameters, now: () => Date.now() + 3_600_000 }
    expect(codeOf(await buyer.payment.pay(later))).toBe('pay.quote-expired')
    expect(buyer.countSent()).toBe(0)
  })

  test('error: pay.amount-mismatch, a service that asks for more than it quoted', async () => {
    const buyer = await newBuyer({
      fetch: async (input, init) => {
        const response = await shop.service.app.request(String(input), init)
        const text = await response.text()
        return new Response(text.replaceAll('"amount":"0.01"', '"amount":"0.001"'), response)
      },
    })
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('pay.amount-mismatch')
    expect(buyer.countSent()).toBe(0)
  })

  test('error: api.unreachable before anything was asked of the wallet', async () => {
    const buyer = await newBuyer({
      fetch: async () => {
        throw new TypeError('fetch failed')
      },
    })
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('api.unreachable')
    const reachable = createClient(shop.address)
    expect(await getOrder(reachable, buyer.parameters)).toMatchObject({ phase: 'payment' })
    expect(buyer.countSent()).toBe(0)
  })
})

describe('two tabs', () => {
  /** Locks as the browser has them, as far as a payment uses them. */
  const createLocks = (): Locks => {
    const held = new Set<string>()
    const request = async (
      name: string,
      _options: LockOptions,
      work: (lock: { name: string } | null) => unknown,
    ): Promise<unknown> => {
      if (held.has(name)) return work(null)
      held.add(name)
      try {
        return await work({ name })
      } finally {
        held.delete(name)
      }
    }
    return { request: request as Locks['request'] }
  }

  test('error: pay.in-other-tab while the first tab pays', async () => {
    const buyer = await newBuyer()
    const locks = createLocks()
    const other = buyer.reload()
    const [one, two] = await Promise.all([
      buyer.payment.pay({ ...buyer.parameters, locks }),
      other.payment.pay({ ...other.parameters, locks }),
    ])
    expect([codeOf(one), codeOf(two)]).toEqual(['paid', 'pay.in-other-tab'])
    expect(buyer.countSent()).toBe(1)
    // Once the first is done the second finds the order paid.
    await follow(buyer, isCompleted)
    expect(codeOf(await other.payment.pay({ ...other.parameters, locks }))).toBe('paid')
    expect(buyer.countSent()).toBe(1)
  })

  test('behavior: a tab that only looks on is not told off', async () => {
    const buyer = await newBuyer()
    const locks = createLocks()
    const other = buyer.reload()
    const asked = new Promise<void>((resolve) => {
      buyer.payment.subscribe(() => buyer.payment.getStep().status === 'awaiting-signature' && resolve())
    })
    const paid = buyer.payment.pay({ ...buyer.parameters, locks })
    await asked
    expect(await other.payment.resume({ ...other.parameters, locks })).toEqual({ status: 'idle' })
    expect(codeOf(await paid)).toBe('paid')
  })
})
