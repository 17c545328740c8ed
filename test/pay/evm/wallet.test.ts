import { setTimeout as sleep } from 'node:timers/promises'
import type { Hash, Hex } from 'viem'
import { mainnet } from 'viem/chains'
import { describe, expect, test } from 'vitest'
import type { CheckoutEvent } from '../../../src/query.js'
import { type Buyer, type BuyerOptions, createBuyer } from '../../helpers/createBuyer.js'
import { codeOf, follow, isCompleted, reach } from '../../helpers/follow.js'
import { cancelTransaction, replaceTransaction } from '../../helpers/replaceTransaction.js'
import { ProviderError } from '../../helpers/scriptedWallet.js'
import { useShop } from '../../helpers/useShop.js'
import { withoutBlocks } from '../../helpers/withoutBlocks.js'

const shop = useShop()

const newBuyer = (options?: BuyerOptions): Promise<Buyer> => createBuyer(shop.address, options)

const mine = (): Promise<void> => shop.world.client.mine({ blocks: 1 })

/** Pays until the transaction waits for its block. */
const payAndWait = async (buyer: Buyer): Promise<Hash> => {
  void buyer.payment.pay(buyer.parameters)
  const step = await reach(buyer.payment, 'confirming', 'failed')
  if (step.status !== 'confirming') throw new Error(codeOf(step))
  return step.txId as Hash
}

const silent = (): Promise<Hex> => new Promise(() => {})

describe('a wallet that does not answer', () => {
  test('behavior: the attempt is stored before the wallet opens, its hash as soon as there is one', async () => {
    const buyer = await newBuyer()
    const { attemptStore, orderId } = buyer.parameters
    let before: unknown
    buyer.wallet.script.onSend = (send) => {
      before = attemptStore.list(orderId)
      return send()
    }
    await withoutBlocks(shop, async () => {
      const txId = await payAndWait(buyer)
      expect(before).toEqual([expect.not.objectContaining({ txId: expect.anything() })])
      expect(before).toMatchObject([{ orderId, payerAddress: buyer.account.address, chainId: 84532 }])
      expect(attemptStore.list(orderId)).toMatchObject([{ txId }])
      expect(buyer.storage.getItem(`kassa.attempts.${orderId}`)).not.toContain(buyer.clientSecret)
    })
    await follow(buyer, isCompleted)
  })

  test('behavior: after a minute it is uncertain, and the wallet is asked again only if the buyer chooses to', async () => {
    const buyer = await newBuyer()
    buyer.wallet.script.onSend = silent
    const step = await buyer.payment.pay({ ...buyer.parameters, silenceMs: 200 })
    expect(codeOf(step)).toBe('pay.uncertain')
    expect(step).toMatchObject({ status: 'uncertain', error: { retryable: true, remedy: 'check-wallet' } })
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('pay.uncertain')
    buyer.payment.reset()
    expect(buyer.payment.getStep().status).toBe('uncertain')
    expect(buyer.countSent()).toBe(1)
    buyer.wallet.script.onSend = (send) => send()
    expect(codeOf(await buyer.payment.pay(buyer.parameters, { isAgain: true }))).toBe('paid')
    expect(buyer.countSent()).toBe(2)
  })

  test('behavior: a late answer is taken', async () => {
    const buyer = await newBuyer()
    let approve = (): void => {}
    const approved = new Promise<void>((resolve) => {
      approve = resolve
    })
    buyer.wallet.script.onSend = (send) => approved.then(send)
    await buyer.payment.pay({ ...buyer.parameters, silenceMs: 100 })
    approve()
    await reach(buyer.payment, 'paid')
    await follow(buyer, isCompleted)
    expect(buyer.countSent()).toBe(1)
  })

  test('behavior: a late refusal clears the doubt', async () => {
    const buyer = await newBuyer()
    let refuse = (): void => {}
    buyer.wallet.script.onSend = () =>
      new Promise((_, reject) => {
        refuse = () => reject(new ProviderError(4001, 'no'))
      })
    await buyer.payment.pay({ ...buyer.parameters, silenceMs: 100 })
    refuse()
    expect(codeOf(await reach(buyer.payment, 'failed'))).toBe('pay.rejected')
    expect(buyer.parameters.attemptStore.list(buyer.order.orderId)).toEqual([])
    buyer.wallet.script.onSend = (send) => send()
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('paid')
  })

  test('behavior: a payment whose answer got lost is found on chain, in native currency and in a token', async () => {
    for (const currency of ['eth', 'usdc']) {
      const buyer = await newBuyer({ currency })
      if (currency === 'usdc') {
        await shop.mintTokens('usdc', 100_000_000n, buyer.account.address)
        await follow(buyer, (order) => order.payment.status === 'awaiting-payment')
      }
      // The service is away for the buyer: the chain alone can tell.
      let isAway = false
      const { client } = buyer
      const away = {
        ...client,
        fetch: (async (input, init) => {
          if (isAway) throw new TypeError('fetch failed')
          return client.fetch(input, init)
        }) as typeof fetch,
      }
      // A payment that is signed has no transaction of the wallet's.
      buyer.wallet.script.onRequest = (method) =>
        method === 'eth_signTypedData_v4' ? Promise.reject(new ProviderError(4200, 'unsupported')) : undefined
      buyer.wallet.script.onSend = async (send) => {
        isAway = true
        await send()
        return silent()
      }
      expect(codeOf(await buyer.payment.pay({ ...buyer.parameters, client: away }))).toBe('paid')
      isAway = false
      await follow(buyer, isCompleted)
      expect(buyer.countSent()).toBe(1)
    }
  })

  test('behavior: after a crash a payment that waits for its block is found and followed', async () => {
    const buyer = await newBuyer()
    buyer.wallet.script.onSend = async (send) => {
      await send()
      return silent()
    }
    await withoutBlocks(shop, async () => {
      void buyer.payment.pay(buyer.parameters)
      await reach(buyer.payment, 'awaiting-signature')
      const page = buyer.reload()
      expect((await page.payment.resume(page.parameters)).status).toBe('uncertain')
      await reach(page.payment, 'confirming')
      await mine()
      await reach(page.payment, 'paid')
    })
    await follow(buyer, isCompleted)
    expect(buyer.countSent()).toBe(1)
  })

  test('behavior: reports the hash to the service, and again after a reload', async () => {
    const told: unknown[] = []
    const buyer = await newBuyer({
      fetch: async (input, init) => {
        if (String(input).endsWith('/payment')) told.push(JSON.parse(String(init?.body)))
        return shop.service.app.request(String(input), init)
      },
    })
    await withoutBlocks(shop, async () => {
      const txId = await payAndWait(buyer)
      const page = buyer.reload()
      void page.payment.resume(page.parameters)
      await reach(page.payment, 'confirming')
      expect(told).toEqual([
        { type: 'crypto-tx-id', txId },
        { type: 'crypto-tx-id', txId },
      ])
    })
    await follow(buyer, isCompleted)
  })

  test('behavior: reports what the account sends meanwhile', async () => {
    const buyer = await newBuyer()
    buyer.wallet.script.onSend = silent
    await withoutBlocks(shop, async () => {
      await buyer.payment.pay({ ...buyer.parameters, silenceMs: 100 })
      expect(buyer.payment.getStep()).toMatchObject({ error: { context: { hasOpenTransaction: false } } })
      const told = new Promise<void>((resolve) => {
        buyer.payment.subscribe(() => {
          const step = buyer.payment.getStep()
          if (step.status === 'uncertain' && JSON.stringify(step.error.context).includes('true')) resolve()
        })
      })
      const serializedTransaction = await buyer.account.signTransaction({
        type: 'eip1559',
        chainId: 84532,
        nonce: 0,
        to: buyer.account.address,
        gas: 21_000n,
        maxFeePerGas: 10n ** 10n,
        maxPriorityFeePerGas: 10n ** 9n,
      })
      await shop.world.client.sendRawTransaction({ serializedTransaction })
      await told
    })
  })

  test('behavior: the order decides, whichever account paid it', async () => {
    const buyer = await newBuyer()
    buyer.wallet.script.onSend = silent
    void buyer.payment.pay(buyer.parameters)
    await reach(buyer.payment, 'awaiting-signature')
    const other = await shop.world.createPayer()
    await other.pay(String(buyer.order.payment.preparation?.serializedTransaction))
    await follow(buyer, isCompleted)
    await reach(buyer.payment, 'paid')
  })
})

describe('a wallet that changes its mind', () => {
  test('behavior: a payment with a higher fee is the same payment', async () => {
    const buyer = await newBuyer()
    const events: CheckoutEvent[] = []
    buyer.parameters.onEvent = (event) => void events.push(event)
    await withoutBlocks(shop, async () => {
      const replacedTxId = await payAndWait(buyer)
      await sleep(120)
      const txId = await replaceTransaction(shop, buyer.account, replacedTxId)
      await mine()
      expect(await reach(buyer.payment, 'paid')).toMatchObject({ txId })
      // The service may report it before the page finds it on the chain.
      const repriced = expect.objectContaining({ type: 'payment.repriced', txId, replacedTxId })
      await expect.poll(() => events).toContainEqual(repriced)
    })
    const order = await follow(buyer, isCompleted)
    expect(order.payment.received).toMatchObject({ amount: '0.01', currency: 'eth' })
  })

  test('behavior: finds a payment that was sped up while the page was closed', async () => {
    const buyer = await newBuyer()
    await withoutBlocks(shop, async () => {
      const hash = await payAndWait(buyer)
      await sleep(120)
      const page = buyer.reload()
      const txId = await replaceTransaction(shop, buyer.account, hash)
      await mine()
      expect(await page.payment.resume(page.parameters)).toMatchObject({ status: 'paid', txId })
    })
  })

  test('error: pay.cancelled, and the buyer can pay again', async () => {
    const buyer = await newBuyer()
    await withoutBlocks(shop, async () => {
      const hash = await payAndWait(buyer)
      await sleep(120)
      const txId = await cancelTransaction(shop, buyer.account, hash)
      await mine()
      const step = await reach(buyer.payment, 'failed')
      expect(codeOf(step)).toBe('pay.cancelled')
      expect(step).toMatchObject({ error: { context: { txId } } })
    })
    expect(buyer.parameters.attemptStore.list(buyer.order.orderId)).toEqual([])
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('paid')
    await follow(buyer, isCompleted)
  })

  test('error: pay.replaced when another transaction took its place, even while the page was closed', async () => {
    const buyer = await newBuyer()
    const change = { to: shop.world.operator, value: 1n, data: '0x' } as const
    await withoutBlocks(shop, async () => {
      const hash = await payAndWait(buyer)
      await sleep(120)
      const page = buyer.reload()
      const txId = await replaceTransaction(shop, buyer.account, hash, change)
      await mine()
      await mine()
      const step = await page.payment.resume(page.parameters)
      expect(codeOf(step)).toBe('pay.replaced')
      expect(step).toMatchObject({ error: { context: { txId }, retryable: true, remedy: 'pay' } })
    })
  })

  test('error: pay.dropped when the network forgot it; it is followed again when it comes back', async () => {
    const buyer = await newBuyer()
    // Once the transaction is gone, time flies: a minute from one look at the clock to the next.
    let isFlying = false
    let flownMs = 0
    buyer.parameters.now = () => {
      if (isFlying) flownMs += 60_000
      return Date.now() + flownMs
    }
    let signed: Hex = '0x'
    buyer.wallet.script.onBroadcast = (bytes, broadcast) => {
      signed = bytes
      return broadcast()
    }
    await withoutBlocks(shop, async () => {
      const hash = await payAndWait(buyer)
      await shop.world.client.dropTransaction({ hash })
      isFlying = true
      const step = await reach(buyer.payment, 'uncertain')
      expect(codeOf(step)).toBe('pay.dropped')
      isFlying = false
      // Neither is it forgotten by a reload, nor may anything but a choice open the wallet.
      const page = buyer.reload()
      expect(codeOf(await page.payment.resume(page.parameters))).toBe('pay.dropped')
      expect(codeOf(await page.payment.pay(page.parameters))).toBe('pay.dropped')
      expect(buyer.countSent()).toBe(1)
      await shop.world.client.sendRawTransaction({ serializedTransaction: signed })
      await mine()
      await reach(buyer.payment, 'paid')
      await reach(page.payment, 'paid')
    })
    await follow(buyer, isCompleted)
  })

  test('behavior: another account signed while the wallet was open; the order is paid all the same', async () => {
    const buyer = await newBuyer()
    const other = await shop.world.createPayer()
    buyer.wallet.script.onSend = () =>
      other.pay(String(buyer.order.payment.preparation?.serializedTransaction))
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('paid')
    await follow(buyer, isCompleted)
  })

  test('error: pay.dropped for a hash that this network never hears of, as of a payment on another one', async () => {
    const buyer = await newBuyer()
    let isFlying = false
    let flownMs = 0
    buyer.parameters.now = () => {
      if (isFlying) flownMs += 30_000
      return Date.now() + flownMs
    }
    buyer.wallet.script.onSend = async () => {
      isFlying = true
      return `0x${'ab'.repeat(32)}`
    }
    const step = await buyer.payment.pay(buyer.parameters)
    expect(step.status).toBe('uncertain')
    expect(codeOf(step)).toBe('pay.dropped')
    isFlying = false
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('pay.dropped')
    expect(buyer.countSent()).toBe(1)
  })

  test('error: pay.wrong-account when the account was switched before it was asked to send', async () => {
    const buyer = await newBuyer({ walletChainId: mainnet.id })
    buyer.wallet.script.onSwitch = () => {
      buyer.wallet.script.accounts = ['0x00000000000000000000000000000000000000AA']
    }
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('pay.wrong-account')
    expect(buyer.countSent()).toBe(0)
  })

  test('error: pay.wrong-chain when the network was switched while it was open', async () => {
    const buyer = await newBuyer()
    buyer.wallet.script.onSend = async () => {
      throw new ProviderError(4902, 'chain disconnected')
    }
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('pay.wrong-chain')
    expect(buyer.parameters.attemptStore.list(buyer.order.orderId)).toEqual([])
  })

  test('error: pay.wrong-chain when the wallet lies about its switch', async () => {
    const buyer = await newBuyer({ walletChainId: mainnet.id })
    buyer.wallet.script.onRequest = (method) =>
      method === 'wallet_switchEthereumChain' ? Promise.resolve(null) : undefined
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('pay.wrong-chain')
    expect(buyer.countSent()).toBe(0)
  })

  test('behavior: a chain the wallet does not know is added, then switched to, once', async () => {
    const buyer = await newBuyer({ walletChainId: mainnet.id, isChainKnown: false })
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('paid')
    expect(buyer.asked('wallet_addEthereumChain')).toMatchObject([
      { params: [{ chainId: '0x14a34', chainName: 'Base Sepolia', nativeCurrency: { decimals: 18 } }] },
    ])
    expect(buyer.asked('wallet_switchEthereumChain')).toHaveLength(2)
  })

  test('error: pay.wrong-chain when the buyer does not want the chain added', async () => {
    const buyer = await newBuyer({ walletChainId: mainnet.id, isChainKnown: false })
    buyer.wallet.script.onRequest = (method) =>
      method === 'wallet_addEthereumChain' ? Promise.reject(new ProviderError(4001, 'no')) : undefined
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('pay.wrong-chain')
    expect(buyer.countSent()).toBe(0)
  })
})

describe('a node that lags', () => {
  /** Answers as a node that has not heard of any transaction. */
  const lagging = (isLagging: () => boolean): typeof fetch => {
    const blind = ['eth_getTransactionReceipt', 'eth_getTransactionByHash']
    return async (input, init) => {
      const { id, method } = JSON.parse(String(init?.body)) as { id: number; method: string }
      return isLagging() && blind.includes(method)
        ? Response.json({ jsonrpc: '2.0', id, result: null })
        : fetch(input, init)
    }
  }

  test('behavior: the payment is not given up', async () => {
    let isLagging = true
    const buyer = await newBuyer({
      nodeFetch: lagging(() => isLagging),
      // The service never sees a thing of it, as far as this buyer hears.
      fetch: async (input, init) => {
        if (buyerIsPaying) throw new TypeError('fetch failed')
        return shop.service.app.request(String(input), init)
      },
    })
    let buyerIsPaying = false
    buyer.wallet.script.onSend = (send) => {
      buyerIsPaying = true
      setTimeout(() => {
        isLagging = false
      }, 300)
      return send()
    }
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('paid')
  })

  test('behavior: a receipt that never comes does not matter when the order advances', async () => {
    const buyer = await newBuyer({ nodeFetch: lagging(() => true) })
    const completed = follow(buyer, isCompleted)
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('paid')
    await completed
  })

  test('behavior: a node that is away for a while is waited for', async () => {
    let isAway = false
    const buyer = await newBuyer({
      nodeFetch: async (input, init) => {
        if (isAway) throw new TypeError('fetch failed')
        return fetch(input, init)
      },
      fetch: async (input, init) => {
        if (isAway) throw new TypeError('fetch failed')
        return shop.service.app.request(String(input), init)
      },
    })
    buyer.wallet.script.onSend = (send) => {
      isAway = true
      setTimeout(() => {
        isAway = false
      }, 300)
      return send()
    }
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('paid')
  })
})
