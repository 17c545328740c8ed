import { describe, expect, test } from 'vitest'
import { refreshOrder } from '../../../../src/api/index.js'
import { permitSpender } from '../../../../src/chain/index.js'
import { permit2Address } from '../../../../src/engine/evm/authorization.js'
import { orderQueryOptions, type PayStep } from '../../../../src/query.js'
import type { AuthorizationKind } from '../../../../src/schema/orderMembers.js'
import { createGaslessBuyer, type GaslessBuyer } from '../../../helpers/createGaslessBuyer.js'
import { codeOf, reach } from '../../../helpers/follow.js'

/** Pays, and lets the block come once the shop has sent the payment. */
const pay = async ({ payment, parameters, service }: GaslessBuyer): Promise<PayStep> => {
  const paying = payment.pay(parameters)
  const mining = setInterval(() => service.advance(1_000), 50)
  try {
    return await paying
  } finally {
    clearInterval(mining)
  }
}

const isPosted = (path: string): boolean => path === 'authorizations'

const kinds: [AuthorizationKind, string][] = [
  ['erc3009', 'TransferWithAuthorization'],
  ['permit2', 'PermitWitnessTransferFrom'],
]

describe('a payment that the shop sends', () => {
  test.each(kinds)('default: %s, by a buyer without any coins', async (kind, primaryType) => {
    const buyer = await createGaslessBuyer({ gasless: { usdc: kind } })
    expect(buyer.order.payment).toMatchObject({
      status: 'crypto-payer-insufficient-funds-for-gas',
      gas: 'shop',
    })
    const step = await pay(buyer)
    const { payment, phase } = buyer.deliver()
    expect(step).toEqual({ status: 'paid', txId: payment.received?.txId })
    expect(phase).toBe('completed')
    expect(payment.received).toMatchObject({ amount: '36', currency: 'usdc' })
    expect(buyer.signed()).toEqual([expect.objectContaining({ primaryType })])
    expect(buyer.countSent()).toBe(0)
    expect(buyer.steps.map(({ status }) => status)).toEqual([
      'checking',
      'awaiting-signature',
      'broadcast',
      'broadcast',
      'confirming',
      'paid',
    ])
    // Until the shop has sent it, there is no transaction to show.
    expect(buyer.steps[2]).toEqual({ status: 'broadcast', txId: undefined })
    expect(buyer.steps[3]).toEqual({ status: 'broadcast', txId: payment.received?.txId })
  })

  test('default: permit, by two signatures', async () => {
    const buyer = await createGaslessBuyer({ currency: 'usdxm' })
    const step = await pay(buyer)
    expect(codeOf(step)).toBe('paid')
    expect(buyer.deliver().phase).toBe('completed')
    const [permit, transfer] = buyer.signed()
    expect(permit).toMatchObject({ primaryType: 'Permit', message: { spender: permit2Address, nonce: '0' } })
    expect(transfer).toMatchObject({
      primaryType: 'PermitWitnessTransferFrom',
      domain: { verifyingContract: permit2Address },
      message: { spender: permitSpender },
    })
    expect(buyer.signed()).toHaveLength(2)
    const parts = buyer.steps.filter(({ status }) => status === 'awaiting-signature')
    expect(parts).toEqual([
      { status: 'awaiting-signature' },
      { status: 'awaiting-signature', part: { number: 1, count: 2 } },
      { status: 'awaiting-signature', part: { number: 2, count: 2 } },
    ])
  })

  test('behavior: the shop sends it though the buyer could, and the buyer keeps the coins', async () => {
    const buyer = await createGaslessBuyer({ coins: '1' })
    expect(buyer.order.payment.preparation?.serializedTransaction).toBeDefined()
    expect(codeOf(await pay(buyer))).toBe('paid')
    expect(buyer.countSent()).toBe(0)
    expect(buyer.signed()).toHaveLength(1)
  })

  test('behavior: the app’s own check hears the transfer, and analytics that it was signed', async () => {
    const buyer = await createGaslessBuyer()
    const checked: unknown[] = []
    const onBeforePay = (payment: object) => void checked.push(payment)
    await pay({ ...buyer, parameters: { ...buyer.parameters, onBeforePay } })
    expect(checked).toEqual([
      expect.objectContaining({
        authorization: 'erc3009',
        units: 36_000_000n,
        valueWei: 0n,
        currency: 'usdc',
      }),
    ])
    expect(buyer.events).toContainEqual(
      expect.objectContaining({ type: 'payment.checked', authorization: 'erc3009', gas: undefined }),
    )
    // No reader of analytics learns what moves money, or who paid.
    const signature = buyer.signed()[0].message.nonce
    expect(JSON.stringify(buyer.events)).not.toContain(signature)
  })

  test('behavior: an app that vetoes it opens no wallet', async () => {
    const buyer = await createGaslessBuyer()
    const step = await buyer.payment.pay({ ...buyer.parameters, onBeforePay: () => false })
    expect(codeOf(step)).toBe('pay.vetoed')
    expect(buyer.signed()).toEqual([])
  })

  test('behavior: the attempt is stored before the wallet is asked, and the signature before it is posted', async () => {
    const stored: unknown[] = []
    const buyer: GaslessBuyer = await createGaslessBuyer({
      onRequest: (path, send) => {
        if (isPosted(path)) stored.push(buyer.authorization())
        return send()
      },
    })
    const held = buyer.wallet.holdNext()
    const paying = pay(buyer)
    await expect.poll(() => buyer.signed().length).toBe(1)
    expect(buyer.attempts()).toEqual([
      expect.objectContaining({
        authorization: {
          id: expect.any(String),
          kind: 'erc3009',
          nonce: expect.any(String),
          validBefore: expect.any(String),
        },
      }),
    ])
    expect(buyer.attempts()[0]?.txId).toBeUndefined()
    held.sign()
    await paying
    expect(stored[0]).toMatchObject({
      isPosted: true,
      signed: { kind: 'erc3009', signature: expect.any(String) },
    })
  })
})

describe('a wallet', () => {
  test('error: pay.rejected, with nothing stored and nothing posted, and the buyer can go on', async () => {
    const buyer = await createGaslessBuyer({ coins: '1' })
    buyer.wallet.rejectNext()
    expect(codeOf(await pay(buyer))).toBe('pay.rejected')
    expect([buyer.attempts(), buyer.countPosts(), buyer.countSent()]).toEqual([[], 0, 0])
    // A refusal by the buyer is a refusal: the wallet is not asked for a transaction instead.
    expect(codeOf(await pay(buyer))).toBe('paid')
    expect([buyer.signed().length, buyer.countSent()]).toEqual([2, 0])
  })

  test('error: pay.rejected at the second of two signatures posts nothing', async () => {
    const buyer = await createGaslessBuyer({ currency: 'usdxm' })
    const first = buyer.wallet.holdNext()
    buyer.wallet.rejectNext()
    const paying = pay(buyer)
    await expect.poll(() => buyer.signed().length).toBe(1)
    first.sign()
    expect(codeOf(await paying)).toBe('pay.rejected')
    expect([buyer.signed().length, buyer.attempts(), buyer.countPosts()]).toEqual([2, [], 0])
  })

  test('behavior: one that cannot sign typed data sends the transaction in the same press', async () => {
    const buyer = await createGaslessBuyer({ coins: '1', canSignTypedData: false })
    expect(codeOf(await pay(buyer))).toBe('paid')
    expect([buyer.signed().length, buyer.countSent(), buyer.countPosts()]).toEqual([1, 1, 0])
    expect(buyer.deliver().phase).toBe('completed')
  })

  test('error: pay.insufficient-funds-for-gas for one that can neither sign typed data nor pay the fee', async () => {
    const buyer = await createGaslessBuyer({ canSignTypedData: false })
    expect(codeOf(await pay(buyer))).toBe('pay.insufficient-funds-for-gas')
    expect([buyer.countSent(), buyer.attempts()]).toEqual([0, []])
  })

  test('error: pay.wrong-account, and the wallet is asked for nothing', async () => {
    const buyer = await createGaslessBuyer()
    buyer.wallet.setAccount('0x00000000000000000000000000000000000000AA')
    expect(codeOf(await pay(buyer))).toBe('pay.wrong-account')
    expect(buyer.signed()).toEqual([])
  })

  test('behavior: one on another chain is switched before it signs', async () => {
    const buyer = await createGaslessBuyer()
    buyer.wallet.setChainId(80_002)
    expect(codeOf(await pay(buyer))).toBe('paid')
    expect(buyer.steps.map(({ status }) => status)).toContain('switching-chain')
  })

  test('error: pay.insufficient-funds where the money went meanwhile', async () => {
    const buyer = await createGaslessBuyer({
      onRequest: async (path, send) => {
        const answer = await send()
        if (!isPosted(path)) buyer.wallet.setBalance('usdc', '1')
        return answer
      },
    })
    expect(codeOf(await pay(buyer))).toBe('pay.insufficient-funds')
    expect(buyer.signed()).toEqual([])
  })

  test('behavior: one that stays silent leaves the payment uncertain, and its late signature counts', async () => {
    const buyer = await createGaslessBuyer()
    const held = buyer.wallet.holdNext()
    const step = await buyer.payment.pay({ ...buyer.parameters, silenceMs: 20 })
    expect(codeOf(step)).toBe('pay.uncertain')
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('pay.uncertain')
    expect(buyer.signed()).toHaveLength(1)
    held.sign()
    await reach(buyer.payment, 'confirming')
    buyer.service.advance(1_000)
    await reach(buyer.payment, 'paid')
    expect([buyer.signed().length, buyer.countPosts() > 0]).toEqual([1, true])
  })

  test('behavior: a late signature is not posted once the buyer pays otherwise', async () => {
    const buyer = await createGaslessBuyer({ coins: '1' })
    const held = buyer.wallet.holdNext()
    await buyer.payment.pay({ ...buyer.parameters, silenceMs: 20 })
    buyer.service.pay(buyer.orderId)
    const seen = orderQueryOptions(buyer.client, buyer.parameters)
    await buyer.queryClient.fetchQuery({ ...seen, staleTime: 0 })
    await reach(buyer.payment, 'paid')
    held.sign()
    await buyer.settled()
    expect(buyer.authorization()?.signed).toBeUndefined()
    expect([buyer.countPosts(), buyer.deliver().payment.transactions?.length]).toEqual([0, 1])
  })
})

describe('a service', () => {
  /** A refusal that lasts, as that of a cap. */
  const refusal = (status: number): Response =>
    Response.json(
      { error: true, message: 'Too many signed payments today' },
      { status, headers: { 'retry-after': '3600' } },
    )

  test.each([422, 429, 403])(
    'error: pay.signature-refused with %d, and the next press sends a transaction',
    async (status) => {
      const buyer = await createGaslessBuyer({
        coins: '1',
        onRequest: (path, send) => (isPosted(path) ? Promise.resolve(refusal(status)) : send()),
      })
      const step = await pay(buyer)
      expect(step).toMatchObject({
        status: 'failed',
        error: { code: 'pay.signature-refused', context: { reason: 'Too many signed payments today' } },
      })
      expect(buyer.attempts()).toEqual([])
      expect(codeOf(await pay(buyer))).toBe('paid')
      expect([buyer.signed().length, buyer.countSent()]).toEqual([1, 1])
      expect(buyer.deliver().payment.transactions).toHaveLength(1)
    },
  )

  test('behavior: with no coins for a transaction, the shop is asked again', async () => {
    let isRefusing = true
    const buyer = await createGaslessBuyer({
      onRequest: (path, send) => (isPosted(path) && isRefusing ? Promise.resolve(refusal(429)) : send()),
    })
    expect(codeOf(await pay(buyer))).toBe('pay.signature-refused')
    isRefusing = false
    expect(codeOf(await pay(buyer))).toBe('paid')
    expect([buyer.signed().length, buyer.countSent()]).toEqual([2, 0])
  })

  test('behavior: a conflict sends no transaction beside a signed payment that may be on its way', async () => {
    let isRefusing = true
    const buyer = await createGaslessBuyer({
      coins: '1',
      onRequest: (path, send) => (isPosted(path) && isRefusing ? Promise.resolve(refusal(409)) : send()),
    })
    expect(codeOf(await pay(buyer))).toBe('pay.order-changed')
    isRefusing = false
    expect(codeOf(await pay(buyer))).toBe('paid')
    expect([buyer.signed().length, buyer.countSent()]).toEqual([2, 0])
  })

  test('behavior: one that is only busy is asked again', async () => {
    const buyer = await createGaslessBuyer()
    const held = buyer.wallet.holdNext()
    const paying = pay(buyer)
    await expect.poll(() => buyer.signed().length).toBe(1)
    // It may be asked again in a second.
    buyer.service.refuseNext(429)
    held.sign()
    expect(codeOf(await paying)).toBe('paid')
    expect([buyer.signed().length, buyer.countPosts()]).toEqual([1, 2])
  })

  test.each(['lost on its way back', 'broken'] as const)(
    'behavior: an answer that is %s is answered again',
    async (how) => {
      let posts = 0
      const buyer = await createGaslessBuyer({
        onRequest: async (path, send) => {
          const answer = await send()
          if (!isPosted(path) || posts++) return answer
          if (how === 'broken') return new Response('<html>', { status: 502 })
          throw new TypeError('Failed to fetch')
        },
      })
      expect(codeOf(await pay(buyer))).toBe('paid')
      expect(buyer.signed()).toHaveLength(1)
      expect(buyer.deliver().payment.transactions).toHaveLength(1)
    },
  )

  test('behavior: a turn away after a lost answer is no refusal: the payment may be on its way', async () => {
    let posts = 0
    const buyer = await createGaslessBuyer({
      coins: '1',
      onRequest: async (path, send) => {
        if (!isPosted(path)) return send()
        posts += 1
        if (posts > 1) return refusal(429)
        await send()
        throw new TypeError('Failed to fetch')
      },
    })
    const paying = buyer.payment.pay(buyer.parameters)
    await expect.poll(() => posts).toBeGreaterThan(1)
    expect(buyer.payment.getStep().status).toBe('broadcast')
    buyer.service.advance(1_000)
    expect(codeOf(await paying)).toBe('paid')
    expect(buyer.countSent()).toBe(0)
  })

  test('behavior: the chain decides, though the service says that it failed', async () => {
    const buyer = await createGaslessBuyer({
      onRequest: async (path, send) => {
        const answer = await send()
        if (!isPosted(path)) return answer
        buyer.service.advance(1_000)
        return Response.json({ ...(await answer.json()), status: 'failed', reason: 'lost' }, { status: 201 })
      },
    })
    expect(codeOf(await pay(buyer))).toBe('paid')
  })

  test.each([
    ['failed', 'pay.signature-refused'],
    ['refused', 'pay.signature-refused'],
    ['expired', 'pay.expired'],
  ] as const)('error: one that it calls %s is over', async (status, code) => {
    const buyer = await createGaslessBuyer({
      coins: '1',
      onRequest: async (path, send) => {
        if (!isPosted(path)) return send()
        const answered = { authorizationId: 'a', orderId: 'o', kind: 'erc3009', payerAddress: '0x', status }
        return Response.json({ ...answered, reason: 'execution reverted' }, { status: 201 })
      },
    })
    expect(codeOf(await pay(buyer))).toBe(code)
    expect(buyer.attempts()).toEqual([])
  })

  test('behavior: a price that changes meanwhile needs the buyer’s consent, and is then signed', async () => {
    const buyer = await createGaslessBuyer({ quoteTtlMs: 60_000 })
    const total = { amount: '36', currency: 'usdc' }
    buyer.service.setPrice('dunes-at-dusk', '0.013')
    buyer.service.advance(50_000)
    expect(codeOf(await buyer.payment.pay(buyer.parameters, { total }))).toBe('pay.price-changed')
    expect(buyer.signed()).toEqual([])
    expect(codeOf(await pay(buyer))).toBe('paid')
    expect(buyer.signed()).toEqual([
      expect.objectContaining({ message: expect.objectContaining({ value: '39000000' }) }),
    ])
  })

  test('error: pay.order-changed where another client changes the price while the app checks the payment', async () => {
    const buyer = await createGaslessBuyer()
    const onBeforePay = async () => {
      buyer.service.setPrice('dunes-at-dusk', '0.013')
      await refreshOrder(buyer.client, buyer.parameters)
    }
    expect(codeOf(await buyer.payment.pay({ ...buyer.parameters, onBeforePay }))).toBe('pay.order-changed')
    expect(buyer.signed()).toEqual([])
  })
})

describe('a reload', () => {
  test('behavior: after the signature, before any answer: it is posted again, and the wallet is not asked again', async () => {
    let isAway = true
    const buyer = await createGaslessBuyer({
      onRequest: (path, send) => (isPosted(path) && isAway ? new Promise<Response>(() => undefined) : send()),
    })
    void buyer.payment.pay(buyer.parameters)
    await reach(buyer.payment, 'broadcast')
    isAway = false
    const page = buyer.openPage()
    const resumed = page.payment.resume(page.parameters)
    await expect.poll(() => page.payment.getStep().status).toBe('confirming')
    buyer.service.advance(1_000)
    expect(codeOf(await resumed)).toBe('paid')
    expect(buyer.signed()).toHaveLength(1)
    expect(buyer.deliver().payment.transactions).toHaveLength(1)
  })

  test('behavior: before the signature: uncertain, until the chain proves that it can never be used', async () => {
    const buyer = await createGaslessBuyer({ quoteTtlMs: 60_000 })
    buyer.wallet.holdNext()
    void buyer.payment.pay(buyer.parameters)
    await expect.poll(() => buyer.signed().length).toBe(1)
    const page = buyer.openPage()
    expect(codeOf(await page.payment.resume(page.parameters))).toBe('pay.uncertain')
    expect(codeOf(await page.payment.pay(page.parameters))).toBe('pay.uncertain')
    expect(buyer.signed()).toHaveLength(1)
    buyer.service.advance(59_000)
    buyer.service.advance(3_000)
    await reach(page.payment, 'failed')
    expect(codeOf(page.payment.getStep())).toBe('pay.expired')
    expect(buyer.attempts()).toEqual([])
  })

  test('behavior: a buyer who chooses to pay again signs the same, which pays once', async () => {
    const buyer = await createGaslessBuyer()
    const held = buyer.wallet.holdNext()
    void buyer.payment.pay(buyer.parameters)
    await expect.poll(() => buyer.signed().length).toBe(1)
    const page = buyer.openPage()
    await page.payment.resume(page.parameters)
    const mining = setInterval(() => buyer.service.advance(1_000), 50)
    const paid = await page.payment.pay(page.parameters, { isAgain: true })
    clearInterval(mining)
    expect(codeOf(paid)).toBe('paid')
    const [first, second] = buyer.signed()
    expect(first).toEqual(second)
    held.sign()
    await expect.poll(() => codeOf(buyer.payment.getStep())).not.toBe('awaiting-signature')
    expect(buyer.deliver().payment.transactions).toHaveLength(1)
  })

  test('behavior: a signature that no service takes is over after its time', async () => {
    const buyer = await createGaslessBuyer({
      quoteTtlMs: 60_000,
      onRequest: (path, send) => {
        if (isPosted(path)) throw new TypeError('Failed to fetch')
        return send()
      },
    })
    const paying = buyer.payment.pay(buyer.parameters)
    await reach(buyer.payment, 'broadcast')
    buyer.service.advance(62_000)
    expect(codeOf(await paying)).toBe('pay.expired')
    expect(buyer.attempts()).toEqual([])
  })
})

test('error: pay.in-other-tab, and one signature', async () => {
  const buyer = await createGaslessBuyer()
  const held = new Set<string>()
  const request = async (name: string, _options: LockOptions, work: (lock: object | null) => unknown) => {
    if (held.has(name)) return work(null)
    held.add(name)
    try {
      return await work({ name })
    } finally {
      held.delete(name)
    }
  }
  const locks = { request: request as LockManager['request'] }
  const other = buyer.openPage()
  const [one, two] = await Promise.all([
    pay({ ...buyer, parameters: { ...buyer.parameters, locks } }),
    other.payment.pay({ ...other.parameters, locks }),
  ])
  expect([codeOf(one), codeOf(two)]).toEqual(['paid', 'pay.in-other-tab'])
  expect(buyer.signed()).toHaveLength(1)
})

test('behavior: of two tabs without locks, the signature of the last counts, and the order is paid once', async () => {
  const buyer = await createGaslessBuyer()
  const other = buyer.openPage()
  const mining = setInterval(() => buyer.service.advance(1_000), 50)
  const steps = await Promise.all([buyer.payment.pay(buyer.parameters), other.payment.pay(other.parameters)])
  clearInterval(mining)
  expect(steps.map(codeOf)).toEqual(['pay.wallet-failed', 'paid'])
  expect(buyer.deliver().payment.transactions).toHaveLength(1)
})
