import { setTimeout as sleep } from 'node:timers/promises'
import { encodeFunctionData, type Hash, type Hex, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import type { EvmPaymentAttempt } from '../../src/chain/index.js'
import type { Order } from '../../src/schema/index.js'
import { type Buyer, type BuyerOptions, createBuyer } from '../helpers/createBuyer.js'
import { codeOf, follow, isCompleted, reach } from '../helpers/follow.js'
import { cancelTransaction } from '../helpers/replaceTransaction.js'
import { ProviderError } from '../helpers/scriptedWallet.js'
import { useShop } from '../helpers/useShop.js'
import { withoutBlocks } from '../helpers/withoutBlocks.js'
import { createBrowserLocks } from '../simulation/webLocks.js'

const shop = useShop()

const newBuyer = (options?: BuyerOptions): Promise<Buyer> => createBuyer(shop.address, options)

const silent = (): Promise<Hex> => new Promise(() => {})

/** A wallet's answer that comes when the test says. */
const later = <Value>() => {
  let resolve = (_: Value): void => {}
  let reject = (_: unknown): void => {}
  const promise = new Promise<Value>((...both) => {
    ;[resolve, reject] = both
  })
  return { promise, resolve, reject }
}

type Call = { id: number; method: string; params: unknown[] }

/** A node that answers some calls in its own way; undefined leaves them to the real one. */
const node =
  (answer: (call: Call) => object | undefined): typeof fetch =>
  async (input, init) => {
    const call = JSON.parse(String(init?.body)) as Call
    const answered = answer(call)
    return answered ? Response.json({ jsonrpc: '2.0', id: call.id, ...answered }) : fetch(input, init)
  }

const refusal = (message: string) => ({ error: { code: -32602, message } })

/** Whether a request is for the stream of an order, which would tell what the service knows before it goes away. */
const isStream = (input: RequestInfo | URL): boolean => String(input).endsWith('/events')

describe('a wallet that answers wrongly', () => {
  test('behavior: it is asked once, whatever it says after it has sent', async () => {
    const buyer = await newBuyer()
    await withoutBlocks(shop, async (mine) => {
      buyer.wallet.script.onSend = async (send) => {
        await send()
        throw new ProviderError(-32000, 'already known')
      }
      buyer.wallet.script.onRequest = (method) =>
        method === 'wallet_sendTransaction'
          ? Promise.reject(new ProviderError(4200, 'not supported'))
          : undefined
      void buyer.payment.pay(buyer.parameters)
      await reach(buyer.payment, 'confirming')
      expect(buyer.wallet.asked.filter(({ method }) => /send/i.test(method))).toHaveLength(1)
      await mine()
      await reach(buyer.payment, 'paid')
    })
  })

  test('behavior: no hash at all is no answer', async () => {
    const buyer = await newBuyer()
    buyer.wallet.script.onSend = async () => null as unknown as Hex
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('pay.uncertain')
    expect(buyer.reload().parameters.attemptStore.list(buyer.order.orderId)).toHaveLength(1)
  })

  test('behavior: a refusal of what is on chain already is none', async () => {
    const buyer = await newBuyer()
    const answer = later<Hex>()
    buyer.wallet.script.onSend = async (send) => {
      await send()
      return answer.promise
    }
    await withoutBlocks(shop, async (mine) => {
      void buyer.payment.pay(buyer.parameters)
      await reach(buyer.payment, 'confirming')
      answer.reject(new ProviderError(5000, 'session closed'))
      await sleep(100)
      const page = buyer.reload()
      void page.payment.pay(page.parameters)
      await reach(page.payment, 'confirming')
      await mine()
      await reach(page.payment, 'paid')
    })
    expect(buyer.countSent()).toBe(1)
  })

  test('behavior: the hash of something else is not the payment, though that went through', async () => {
    const buyer = await newBuyer()
    const hash = await buyer.wallet.send({ to: shop.world.operator, value: '0x1' })
    buyer.wallet.script.onSend = () => Promise.resolve(hash)
    let flownMs = 0
    const now = (): number => {
      // Time flies from here on.
      if (buyer.countSent()) flownMs += 30_000
      return Date.now() + flownMs
    }
    const step = await buyer.payment.pay({ ...buyer.parameters, now })
    expect(step.status).toBe('uncertain')
  })

  test('behavior: the hash of something that was turned down is not the payment either', async () => {
    const buyer = await newBuyer()
    const late = encodeFunctionData({
      abi: parseAbi(['function pay(bytes32 orderRef, uint256 deadline) payable']),
      args: [`0x${'00'.repeat(32)}`, 1n],
    })
    const router = buyer.parameters.rules?.contracts?.router ?? '0x'
    const hash = await buyer.wallet.send({ to: router, value: '0x1', data: late })
    buyer.wallet.script.onSend = () => Promise.resolve(hash)
    void buyer.payment.pay(buyer.parameters)
    await reach(buyer.payment, 'confirming')
    await sleep(700)
    expect(buyer.payment.getStep().status).toBe('confirming')
    expect(buyer.parameters.attemptStore.list(buyer.order.orderId)).toHaveLength(1)
  })

  test('error: pay.wrong-chain when the wallet left the network at the last moment, without asking it', async () => {
    const buyer = await newBuyer()
    let asked = 0
    buyer.wallet.script.onRequest = (method) => {
      if (method !== 'eth_chainId') return undefined
      asked += 1
      return asked > 2 ? Promise.resolve('0x1') : undefined
    }
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('pay.wrong-chain')
    expect(buyer.countSent()).toBe(0)
    expect(buyer.parameters.attemptStore.list(buyer.order.orderId)).toEqual([])
  })
})

describe('a node that knows little', () => {
  test('behavior: a payment is not called replaced because the node has no history', async () => {
    let isLagging = false
    let newest: unknown = '0x0'
    const blind = ['eth_getTransactionReceipt', 'eth_getTransactionByHash']
    const buyer = await newBuyer({
      nodeFetch: node(({ method, params }) => {
        if (!isLagging) return undefined
        if (blind.includes(method)) return { result: null }
        if (method === 'eth_getLogs') return { result: [] }
        if (method === 'eth_blockNumber') return { result: newest }
        return method === 'eth_getBlockByNumber' && params[0] === 'pending' ? refusal('no') : undefined
      }),
      fetch: async (input, init) => {
        if (isLagging || isStream(input)) throw new TypeError('fetch failed')
        return shop.service.app.request(String(input), init)
      },
    })
    await withoutBlocks(shop, async (mine) => {
      void buyer.payment.pay(buyer.parameters)
      await reach(buyer.payment, 'confirming')
      await sleep(150)
      newest = await buyer.wallet.rpc('eth_blockNumber', [])
      isLagging = true
      await mine()
      await sleep(700)
      expect(buyer.payment.getStep().status).toBe('confirming')
      isLagging = false
      await reach(buyer.payment, 'paid')
    })
  })

  test('behavior: a node that refuses to search its blocks does not hide a cancellation', async () => {
    const nodeFetch = node(({ method }) =>
      method === 'eth_getLogs' ? refusal('the range is limited to 10 blocks') : undefined,
    )
    const buyer = await newBuyer({ nodeFetch })
    await withoutBlocks(shop, async (mine) => {
      void buyer.payment.pay(buyer.parameters)
      await reach(buyer.payment, 'confirming')
      await sleep(150)
      const [attempt] = buyer.parameters.attemptStore.list(buyer.order.orderId)
      await cancelTransaction(shop, buyer.account, attempt?.txId as Hash)
      await mine()
      expect(codeOf(await reach(buyer.payment, 'failed'))).toBe('pay.cancelled')
    })
    // Nor does it keep a buyer from paying again.
    const other = await newBuyer({ nodeFetch })
    other.wallet.script.onSend = silent
    await other.payment.pay({ ...other.parameters, silenceMs: 100 })
    other.wallet.script.onSend = (send) => send()
    expect(codeOf(await other.payment.pay(other.parameters, { isAgain: true }))).toBe('paid')
  })

  test('behavior: a forgotten transaction that is known again is not paid over', async () => {
    const buyer = await newBuyer({
      nodeFetch: node(({ method, params }) =>
        method === 'eth_getBlockByNumber' && params[0] === 'pending' ? refusal('no') : undefined,
      ),
    })
    await withoutBlocks(shop, async (mine) => {
      void buyer.payment.pay(buyer.parameters)
      await reach(buyer.payment, 'confirming')
      const page = buyer.reload()
      const [attempt] = page.parameters.attemptStore.list(buyer.order.orderId)
      if (!attempt) throw new Error('no attempt')
      page.parameters.attemptStore.put({ ...attempt, isDropped: true })
      void page.payment.pay(page.parameters, { isAgain: true })
      await reach(page.payment, 'confirming')
      await mine()
      await reach(page.payment, 'paid')
    })
    expect(buyer.countSent()).toBe(1)
  })

  test('behavior: an attempt on a chain that the app no longer has is left to the order', async () => {
    const buyer = await newBuyer()
    buyer.wallet.script.onSend = silent
    await buyer.payment.pay({ ...buyer.parameters, silenceMs: 100 })
    const page = buyer.reload()
    const [attempt] = page.parameters.attemptStore.list(buyer.order.orderId)
    if (!attempt || attempt.family) throw new Error('no attempt')
    page.parameters.attemptStore.put({ ...attempt, txId: `0x${'11'.repeat(32)}`, chainId: 10 })
    void page.payment.resume(page.parameters)
    await reach(page.payment, 'confirming')
    await sleep(200)
    expect(page.payment.getStep().status).toBe('confirming')
    const other = await shop.world.createPayer()
    await other.pay(String(buyer.order.payment.preparation?.serializedTransaction))
    await follow({ ...buyer, queryClient: page.parameters.queryClient }, isCompleted)
    await reach(page.payment, 'paid')
  })
})

describe('several attempts', () => {
  /** A buyer whose first request the wallet has kept, and who was given the choice. */
  const newUncertainBuyer = async () => {
    const buyer = await newBuyer()
    const answer = later<void>()
    buyer.wallet.script.onSend = (send) => answer.promise.then(send)
    await buyer.payment.pay({ ...buyer.parameters, silenceMs: 100 })
    return { buyer, approve: () => answer.resolve() }
  }

  test('behavior: the first is approved before the wallet is asked for the second', async () => {
    const { buyer, approve } = await newUncertainBuyer()
    await withoutBlocks(shop, async (mine) => {
      const onBeforePay = async (): Promise<void> => {
        approve()
        const { attemptStore, orderId } = buyer.parameters
        while (!attemptStore.list(orderId).some(({ txId }) => txId)) await sleep(10)
      }
      void buyer.payment.pay({ ...buyer.parameters, onBeforePay }, { isAgain: true })
      await reach(buyer.payment, 'confirming')
      await mine()
      await reach(buyer.payment, 'paid')
    })
    expect(buyer.countSent()).toBe(1)
  })

  test('behavior: the first is approved after the second was declined', async () => {
    const { buyer, approve } = await newUncertainBuyer()
    buyer.wallet.script.onSend = async () => {
      throw new ProviderError(4001, 'no')
    }
    const declined = await buyer.payment.pay(buyer.parameters, { isAgain: true })
    expect(declined.status).toBe('uncertain')
    approve()
    await reach(buyer.payment, 'paid')
    await follow(buyer, isCompleted)
  })

  test('behavior: what a stranger pays towards the order is not taken for the payment', async () => {
    const { buyer } = await newUncertainBuyer()
    const [attempt] = buyer.parameters.attemptStore.list(buyer.order.orderId)
    const evm = attempt as EvmPaymentAttempt
    const other = await newBuyer()
    await other.wallet.send({ to: evm.to, data: evm.data, value: '0x1' })
    await sleep(2_500)
    await follow(buyer, ({ payment }) => payment.failureReason?.code === 'underpaid')
    await sleep(300)
    expect(buyer.payment.getStep().status).toBe('uncertain')
    expect(buyer.parameters.attemptStore.list(buyer.order.orderId)).toEqual([attempt])
  })

  test('behavior: a tab that finds the payment of another waits for it without asking all the time', async () => {
    let requests = 0
    const buyer = await newBuyer({
      fetch: async (input, init) => {
        requests += 1
        return shop.service.app.request(String(input), init)
      },
    })
    const open = createBrowserLocks()
    const answer = later<void>()
    buyer.wallet.script.onSend = (send) => answer.promise.then(send)
    await buyer.payment.pay({ ...buyer.parameters, locks: open().locks, silenceMs: 100 })
    const page = buyer.reload()
    await page.payment.resume({ ...page.parameters, locks: open().locks })
    expect(page.payment.getStep().status).toBe('uncertain')
    await withoutBlocks(shop, async () => {
      answer.resolve()
      await reach(buyer.payment, 'confirming')
      await sleep(2_500)
      requests = 0
      await sleep(1_500)
      expect(requests).toBeLessThan(6)
    })
    await reach(buyer.payment, 'paid')
  })

  test('behavior: a payment the service has seen is paid, also when the service is away by then', async () => {
    let isAway = false
    const buyer = await newBuyer({
      fetch: async (input, init) => {
        if (isAway || isStream(input)) throw new TypeError('fetch failed')
        return shop.service.app.request(String(input), init)
      },
    })
    buyer.wallet.script.onSend = silent
    await buyer.payment.pay({ ...buyer.parameters, silenceMs: 100 })
    const other = await shop.world.createPayer()
    await other.pay(String(buyer.order.payment.preparation?.serializedTransaction))
    const seen = await follow({ ...buyer, queryClient: buyer.reload().parameters.queryClient }, isCompleted)
    isAway = true
    const statuses: string[] = []
    buyer.payment.subscribe(() => statuses.push(buyer.payment.getStep().status))
    buyer.queryClient.setQueryData(buyer.observed.queryKey, seen)
    await reach(buyer.payment, 'paid')
    await sleep(300)
    expect(statuses).toEqual(['paid'])
  })

  test('behavior: a press while the quote is being renewed waits for the new one', async () => {
    const renewal = later<void>()
    let isRenewing = false
    const buyer = await newBuyer({
      fetch: async (input, init) => {
        if (String(input).endsWith('/refresh')) {
          isRenewing = true
          await renewal.promise
        }
        return shop.service.app.request(String(input), init)
      },
    })
    await follow(buyer, () => true)
    const { locks } = createBrowserLocks()()
    let aheadMs = Date.parse(String(buyer.order.quote.expiresAt)) - Date.now() - 2_050
    const parameters = { ...buyer.parameters, locks, now: () => Date.now() + aheadMs }
    const stop = buyer.payment.keep(() => parameters)
    while (!isRenewing) await sleep(10)
    const paying = buyer.payment.pay(parameters)
    aheadMs = 0
    renewal.resolve()
    expect(codeOf(await paying)).toBe('paid')
    stop()
  })

  test('error: pay.quote-expired when the app’s own check has used up the quote', async () => {
    const buyer = await newBuyer()
    let aheadMs = 0
    const onBeforePay = (): void => {
      aheadMs = Date.parse(String(buyer.order.quote.expiresAt)) - Date.now() - 1_500
    }
    const now = (): number => Date.now() + aheadMs
    expect(codeOf(await buyer.payment.pay({ ...buyer.parameters, now, onBeforePay }))).toBe(
      'pay.quote-expired',
    )
    expect(buyer.countSent()).toBe(0)
  })

  test('behavior: a tab goes on where another one was closed', async () => {
    const buyer = await newBuyer()
    const open = createBrowserLocks()
    const [one, two] = [open(), open()]
    buyer.wallet.script.onSend = silent
    void buyer.payment.pay({ ...buyer.parameters, locks: one.locks })
    await reach(buyer.payment, 'awaiting-signature')
    const page = buyer.reload()
    expect(await page.payment.resume({ ...page.parameters, locks: two.locks })).toEqual({ status: 'idle' })
    one.leave()
    expect(codeOf(await reach(page.payment, 'uncertain'))).toBe('pay.uncertain')
  })

  test('behavior: a payment that the service saw and sees no more is not called paid', async () => {
    const { buyer } = await newUncertainBuyer()
    const shown = await follow(buyer, () => true)
    const show = (status: Order['payment']['status']): void => {
      const payment = { ...shown.payment, status }
      buyer.queryClient.setQueryData(buyer.observed.queryKey, { ...shown, payment })
    }
    // Held still: the service itself knows of no payment.
    await buyer.queryClient.cancelQueries()
    show('in-progress')
    await reach(buyer.payment, 'paid')
    show('awaiting-payment')
    await reach(buyer.payment, 'uncertain')
    expect(buyer.countSent()).toBe(1)
  })

  test('behavior: a wallet that answers once the order is paid adds no attempt', async () => {
    const { buyer, approve } = await newUncertainBuyer()
    const other = await shop.world.createPayer()
    await other.pay(String(buyer.order.payment.preparation?.serializedTransaction))
    await follow(buyer, isCompleted)
    await reach(buyer.payment, 'paid')
    const { attemptStore, orderId } = buyer.parameters
    while (attemptStore.list(orderId).length) await sleep(10)
    approve()
    await sleep(700)
    expect(attemptStore.list(orderId)).toEqual([])
    expect(buyer.payment.getStep().status).toBe('paid')
  })

  test('behavior: what is paid cannot be reset, nor paid again', async () => {
    const buyer = await newBuyer()
    await buyer.payment.pay(buyer.parameters)
    buyer.payment.reset()
    expect(buyer.payment.getStep().status).toBe('paid')
    const away = { ...buyer.client, fetch: () => Promise.reject(new TypeError('fetch failed')) }
    expect(codeOf(await buyer.payment.pay({ ...buyer.parameters, client: away }))).toBe('paid')
    await follow(buyer, isCompleted)
  })
})

describe('a reorganisation', () => {
  test('behavior: a payment whose block is gone is followed again', async () => {
    let isAway = false
    const buyer = await newBuyer({
      fetch: async (input, init) => {
        if (isAway) throw new TypeError('fetch failed')
        return shop.service.app.request(String(input), init)
      },
    })
    const { client } = shop.world
    let signed: Hex = '0x'
    buyer.wallet.script.onBroadcast = (bytes, broadcast) => {
      signed = bytes
      return broadcast()
    }
    buyer.wallet.script.onSend = (send) => {
      // The service has nothing to say while this goes on: the chain alone is looked at.
      isAway = true
      return send()
    }
    const snapshot = await client.snapshot()
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('paid')
    await client.revert({ id: snapshot })
    await reach(buyer.payment, 'broadcast')
    await client.sendRawTransaction({ serializedTransaction: signed })
    await reach(buyer.payment, 'paid')
    isAway = false
    expect((await follow(buyer, isCompleted)).lineItems[0]?.delivery.status).toBe('completed')
    expect(buyer.countSent()).toBe(1)
  })
})
