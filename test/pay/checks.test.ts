import { describe, expect, test } from 'vitest'
import type { BeforePay, CheckoutEvent, PaymentToApprove } from '../../src/query.js'
import { type Buyer, type BuyerOptions, createBuyer } from '../helpers/createBuyer.js'
import { codeOf, follow, isCompleted } from '../helpers/follow.js'
import { useShop } from '../helpers/useShop.js'

const shop = useShop()

const newBuyer = (options?: BuyerOptions): Promise<Buyer> => createBuyer(shop.address, options)

const newTokenBuyer = async (currency = 'usdc'): Promise<Buyer> => {
  const buyer = await newBuyer({ currency })
  await shop.mintTokens(currency, 100_000_000n, buyer.account.address)
  await follow(buyer, (order) => order.payment.status === 'awaiting-payment')
  return buyer
}

const stranger = '0x00000000000000000000000000000000000000AA'

describe('before the wallet opens', () => {
  test('error: pay.recipient-mismatch when the money would go elsewhere', async () => {
    for (const buyer of [await newBuyer(), await newTokenBuyer()]) {
      const rules = {
        ...buyer.parameters.rules,
        contracts: { router: stranger, depositFactory: stranger },
      } as const
      expect(codeOf(await buyer.payment.pay({ ...buyer.parameters, rules }))).toBe('pay.recipient-mismatch')
      expect(buyer.countSent()).toBe(0)
    }
  })

  test('error: pay.token-mismatch when the app knows another token by that name', async () => {
    const buyer = await newTokenBuyer('usdc')
    const usdc = { address: '0x00000000000000000000000000000000000000aa', decimals: 6 } as const
    const rules = { contracts: buyer.parameters.rules?.contracts, tokens: { 'base-sepolia': { usdc } } }
    expect(codeOf(await buyer.payment.pay({ ...buyer.parameters, rules }))).toBe('pay.token-mismatch')
    expect(buyer.countSent()).toBe(0)
  })

  test('error: pay.token-unknown when the app knows no token by that name', async () => {
    const buyer = await newTokenBuyer('usdxm')
    const rules = { contracts: buyer.parameters.rules?.contracts }
    expect(codeOf(await buyer.payment.pay({ ...buyer.parameters, rules }))).toBe('pay.token-unknown')
    expect(buyer.countSent()).toBe(0)
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('paid')
  })

  test('error: pay.would-revert with the contract’s own reason', async () => {
    const buyer = await newTokenBuyer()
    const { contracts, tokens } = buyer.parameters.rules ?? {}
    const token = tokens?.['base-sepolia']?.usdc
    if (!token) throw new Error('no token')
    const code = await shop.world.client.getCode({ address: token.address })
    // A token that is paused answers its balance and refuses the transfer; this one refuses everything but that.
    const balance = '0x6370a0823160003560e01c14601457600080fd5b633b9aca0060005260206000f3'
    await shop.world.client.setCode({ address: token.address, bytecode: balance })
    try {
      const step = await buyer.payment.pay({ ...buyer.parameters, rules: { contracts, tokens } })
      expect(codeOf(step)).toBe('pay.would-revert')
      expect(step).toMatchObject({
        error: { context: { reason: 'it gives no reason' }, retryable: true, cause: expect.any(Error) },
      })
    } finally {
      await shop.world.client.setCode({ address: token.address, bytecode: code ?? '0x' })
    }
    expect(buyer.countSent()).toBe(0)
  })

  test('error: pay.wrong-chain when the wallet leaves the chain during the last check', async () => {
    const nodeFetch: typeof fetch = async (url, init) => {
      const answer = await fetch(url, init)
      if (String(init?.body).includes('"eth_estimateGas"'))
        buyer.wallet.script.onRequest = (method) =>
          method === 'eth_chainId' ? Promise.resolve('0x1') : undefined
      return answer
    }
    const buyer = await newBuyer({ nodeFetch })
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('pay.wrong-chain')
    expect(buyer.countSent()).toBe(0)
    expect(buyer.parameters.attemptStore.list(buyer.order.orderId)).toEqual([])
  })

  test('error: pay.insufficient-funds-for-gas, by the app’s own node', async () => {
    const buyer = await newBuyer()
    await shop.world.client.setBalance({ address: buyer.account.address, value: 10n ** 16n + 1n })
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('pay.insufficient-funds-for-gas')
    expect(buyer.countSent()).toBe(0)
  })
})

describe('the app’s own node', () => {
  test.for(['eth_getCode', 'eth_getBlockByNumber'])(
    'error: pay.chain-unavailable when it answers %s with an internal error',
    async (method) => {
      const broken = { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'internal error' } }
      const nodeFetch: typeof fetch = (url, init) =>
        String(init?.body).includes(`"${method}"`) ? Promise.resolve(Response.json(broken)) : fetch(url, init)
      const buyer = await newBuyer({ nodeFetch })
      expect(await buyer.payment.pay(buyer.parameters)).toMatchObject({
        error: { code: 'pay.chain-unavailable', context: { chain: 'base-sepolia' } },
      })
      expect(buyer.countSent()).toBe(0)
    },
  )
})

describe('what the buyer was shown', () => {
  test('error: pay.order-changed when it is to be paid on another chain than was shown', async () => {
    const buyer = await newBuyer()
    const shown = await follow(buyer, () => true)
    buyer.queryClient.setQueryData(buyer.observed.queryKey, {
      ...shown,
      payment: { ...shown.payment, method: 'ethereum-sepolia' },
    })
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('pay.order-changed')
    expect(buyer.countSent()).toBe(0)
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('paid')
  })
})

describe('onBeforePay', () => {
  const vetoes: [string, BeforePay, string][] = [
    ['false', () => false, 'its own check did not pass'],
    ['a sentence', async () => 'sanctions screening is down', 'sanctions screening is down'],
    ['an error', () => Promise.reject(new Error('offline')), 'its own check failed'],
  ]

  test.for(vetoes)('error: pay.vetoed by %s', async ([, onBeforePay, reason]) => {
    const buyer = await newBuyer()
    const step = await buyer.payment.pay({ ...buyer.parameters, onBeforePay })
    expect(step).toMatchObject({ status: 'failed', error: { code: 'pay.vetoed', context: { reason } } })
    if (reason === 'its own check failed')
      expect(step).toMatchObject({ error: { cause: new Error('offline') } })
    expect(buyer.countSent()).toBe(0)
    expect(buyer.parameters.attemptStore.list(buyer.order.orderId)).toEqual([])
  })

  test('parameters: payment', async () => {
    const buyer = await newBuyer()
    const told: PaymentToApprove[] = []
    const onBeforePay: BeforePay = (payment) => {
      told.push(payment)
    }
    expect(codeOf(await buyer.payment.pay({ ...buyer.parameters, onBeforePay }))).toBe('paid')
    expect(told).toMatchObject([
      {
        order: { orderId: buyer.order.orderId },
        chain: 'base-sepolia',
        chainId: 84532,
        payerAddress: buyer.account.address,
        currency: 'eth',
        units: 10n ** 16n,
        valueWei: 10n ** 16n,
        recipient: buyer.parameters.rules?.contracts?.router,
      },
    ])
  })

  test('behavior: the wallet is looked at again after a check that took its time', async () => {
    const buyer = await newBuyer()
    const onBeforePay: BeforePay = async () => {
      buyer.wallet.script.accounts = [stranger]
    }
    expect(codeOf(await buyer.payment.pay({ ...buyer.parameters, onBeforePay }))).toBe('pay.wrong-account')
    expect(buyer.countSent()).toBe(0)
  })
})

describe('onEvent', () => {
  test('default', async () => {
    const buyer = await newBuyer()
    const events: CheckoutEvent[] = []
    const onEvent = (event: CheckoutEvent) => void events.push(event)
    await buyer.payment.pay({ ...buyer.parameters, onEvent, onBeforePay: () => false })
    await buyer.payment.pay({ ...buyer.parameters, onEvent })
    await follow(buyer, isCompleted)
    expect(events.map((event) => (event.type === 'payment.step' ? event.to : event.type))).toEqual([
      'checking',
      'failed',
      'checking',
      'payment.checked',
      'awaiting-signature',
      'broadcast',
      'confirming',
      'paid',
    ])
    const { router } = shop.address.rules.contracts ?? {}
    expect(events.find(({ type }) => type === 'payment.checked')).toEqual({
      type: 'payment.checked',
      orderId: buyer.order.orderId,
      chain: 'base-sepolia',
      chainId: 84532,
      to: router,
      recipient: router,
      amount: { amount: '0.01', currency: 'eth' },
      token: undefined,
      gas: expect.stringMatching(/^[1-9]\d+$/),
      simulatedAtBlock: expect.stringMatching(/^[1-9]\d*$/),
      atMs: expect.any(Number),
    })
    expect(events[1]).toMatchObject({ orderId: buyer.order.orderId, from: 'checking', code: 'pay.vetoed' })
    expect(events.at(-1)).toMatchObject({ txId: expect.stringMatching(/^0x/) })
    expect(JSON.stringify(events)).not.toContain(buyer.clientSecret)
    expect(JSON.stringify(events).toLowerCase()).not.toContain(buyer.account.address.slice(2).toLowerCase())
  })
})
