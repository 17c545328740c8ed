import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  createAuthorization,
  createOrder,
  isKassaError,
  listPaymentOptions,
  refreshOrder,
} from '../../src/api/index.js'
import type { CreateAuthorizationBody, PreparedAuthorization } from '../../src/schema/index.js'
import type { CreateTestServiceParameters } from '../../src/testing/createTestService.js'
import {
  createTestService,
  createTestWallet,
  type TestService,
  type TestWallet,
} from '../../src/testing/index.js'

/** A service that sends signed payments, an order to pay, and the wallet of its payer. */
const open = async ({
  currency = 'usdc',
  ...parameters
}: CreateTestServiceParameters & { currency?: string } = {}) => {
  const service = createTestService({ gasless: true, ...parameters })
  const wallet = createTestWallet({ service, balance: { eth: '0' } })
  const { order, clientSecret } = await createOrder(service.client, {
    body: {
      recipient: { walletAddress: wallet.address },
      payment: { method: 'base-sepolia', currency, payerAddress: wallet.address },
      lineItems: { collectionLocator: 'kassa:dunes-at-dusk' },
    },
  })
  const { orderId } = order
  const post = (body: CreateAuthorizationBody) =>
    createAuthorization(service.client, { orderId, clientSecret, body })
  return { service, wallet, orderId, clientSecret, order, post }
}

const offerOf = (service: TestService, orderId: string): PreparedAuthorization =>
  service.getOrder(orderId).payment.preparation?.authorization as PreparedAuthorization

const ask = async ({ config }: TestWallet, method: string, params: unknown): Promise<string> => {
  const provider = (await config.connectors[0]?.getProvider()) as {
    request(call: object): Promise<string>
  }
  return provider.request({ method, params })
}

/** Signs what an order offers, as a wallet does. */
const sign = async (wallet: TestWallet, { kind, typedData, permit }: PreparedAuthorization) => {
  const signed = async ({ domain, message, ...types }: PreparedAuthorization['typedData']) => ({
    domain,
    message,
    signature: await ask(wallet, 'eth_signTypedData_v4', [
      wallet.address,
      JSON.stringify({ domain, message, ...types }),
    ]),
  })
  return {
    kind,
    payerAddress: wallet.address,
    ...(await signed(typedData)),
    ...(permit && { permit: await signed(permit) }),
  } as CreateAuthorizationBody
}

const refusal = (calling: Promise<unknown>) =>
  calling.then(
    () => 'taken',
    (error: unknown) => (isKassaError(error) ? `${error.code}: ${error.message}` : String(error)),
  )

describe('a test service that sends signed payments', () => {
  test.each([
    ['usdc', 'erc3009'],
    ['usdxm', 'permit'],
  ])('default: %s by %s, once, for a payer without coins', async (currency, kind) => {
    const { service, wallet, orderId, order, post } = await open({ currency })
    expect(order.payment).toMatchObject({ gas: 'shop', preparation: { authorization: { kind } } })
    const body = await sign(wallet, offerOf(service, orderId))
    const answer = await post(body)
    expect(answer).toMatchObject({ orderId, kind, payerAddress: wallet.address, status: 'pending' })
    expect(await post(body)).toEqual(answer)
    service.advance(1_000)
    expect(await post(body)).toEqual({ ...answer, status: 'settled' })
    service.advance(3_000)
    const { phase, payment } = service.getOrder(orderId)
    expect([phase, payment.transactions]).toEqual([
      'completed',
      [{ txId: answer.txId, chain: 'base-sepolia', use: 'accepted' }],
    ])
    expect(payment.received?.payerAddress).toBe(wallet.address)
  })

  test('behavior: of two at once that say the same, one is sent', async () => {
    const { service, wallet, orderId, post } = await open()
    const body = await sign(wallet, offerOf(service, orderId))
    const [one, other] = await Promise.all([post(body), post(body)])
    expect(one).toEqual(other)
    service.advance(5_000)
    expect(service.getOrder(orderId).payment.transactions).toHaveLength(1)
  })

  test('behavior: the ways to pay cost no fee, and a payer without coins has enough', async () => {
    const { service, wallet, orderId, clientSecret } = await open()
    const listed = await listPaymentOptions(service.client, { orderId, clientSecret })
    const facts = listed
      .filter(({ chain }) => chain === 'base-sepolia')
      .map(({ currency, networkFee, sufficient }) => [currency, networkFee?.amount === '0', sufficient])
    expect(facts).toEqual([
      ['eth', false, false],
      ['usdc', true, true],
      ['usdxm', true, true],
    ])
    wallet.setBalance('usdc', '1')
    const [short] = (await listPaymentOptions(service.client, { orderId, clientSecret })).filter(
      ({ chain, currency }) => chain === 'base-sepolia' && currency === 'usdc',
    )
    expect(short).toMatchObject({ sufficient: false, missing: [{ amount: '35', currency: 'usdc' }] })
  })

  test('parameters: gasless names the currencies, and how they are signed', async () => {
    const { order } = await open({ gasless: { usdc: 'permit2' } })
    expect(order.payment.preparation?.authorization).toMatchObject({ kind: 'permit2' })
    const other = await open({ gasless: { usdc: 'permit2' }, currency: 'usdxm' })
    expect(other.order.payment.gas).toBeUndefined()
  })

  test('error: a service that sends none', async () => {
    const { service, wallet, orderId } = await open()
    const body = await sign(wallet, offerOf(service, orderId))
    const { post, order } = await open({ gasless: false })
    expect(order.payment.preparation?.authorization).toBeUndefined()
    expect(await refusal(post(body))).toMatch(/^api\.bad-request.*sends no signed payments/)
  })

  test.each(['usdc', 'usdxm'])(
    'error: a signature of another account, or of other data, in %s',
    async (currency) => {
      const { service, wallet, orderId, post } = await open({ currency })
      const body = await sign(wallet, offerOf(service, orderId))
      const stranger = createTestWallet({ service, address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F' })
      const foreign = await sign(stranger, offerOf(service, orderId))
      const fault = /^api\.bad-request.*the signature is not the payer’s/
      expect(await refusal(post({ ...body, signature: foreign.signature }))).toMatch(fault)
      expect(await refusal(post({ ...body, signature: '0x1234' }))).toMatch(fault)
      if (body.permit && foreign.permit) {
        const permit = { ...body.permit, signature: foreign.permit.signature }
        expect(await refusal(post({ ...body, permit }))).toMatch(fault)
      }
      const dear = { ...body.message, value: '1' }
      expect(await refusal(post({ ...body, message: dear }))).toMatch(/^api\.bad-request/)
      expect(service.getOrder(orderId).payment.transactions).toBeUndefined()
    },
  )

  test('error: a payer whose money is gone', async () => {
    const { service, wallet, orderId, post } = await open()
    const body = await sign(wallet, offerOf(service, orderId))
    wallet.setBalance('usdc', '35')
    expect(await refusal(post(body))).toMatch(/holds less/)
  })

  test('error: a second one of the order while the first is on its way', async () => {
    const { service, wallet, orderId, clientSecret, post } = await open()
    const first = await sign(wallet, offerOf(service, orderId))
    await post(first)
    await refreshOrder(service.client, { orderId, clientSecret })
    service.advance(100)
    await refreshOrder(service.client, { orderId, clientSecret })
    const second = await sign(wallet, offerOf(service, orderId))
    expect(second.message).not.toEqual(first.message)
    expect(await refusal(post(second))).toMatch(/^api\.conflict.*on its way/)
    // The same one is answered again, however its addresses are written.
    const payerAddress = first.payerAddress.toLowerCase() as Address
    expect(await refusal(post({ ...first, payerAddress }))).toBe('taken')
    service.advance(5_000)
    expect(service.getOrder(orderId).payment.transactions).toHaveLength(1)
  })

  test('error: one that comes after the order was paid otherwise', async () => {
    const { service, wallet, orderId, post } = await open()
    const body = await sign(wallet, offerOf(service, orderId))
    wallet.setBalance('eth', '1')
    service.pay(orderId)
    expect(await refusal(post(body))).toMatch(/^api\.conflict/)
  })
})

test('error: a wallet that cannot sign typed data, or not for this account and chain', async () => {
  const { service, wallet, orderId } = await open()
  const { typedData } = offerOf(service, orderId)
  const unable = createTestWallet({ service, canSignTypedData: false })
  const params = (signer: string, data: object = typedData) => [signer, JSON.stringify(data)]
  const asking = (by: TestWallet, ...of: Parameters<typeof params>) =>
    ask(by, 'eth_signTypedData_v4', params(...of))
  await expect(asking(unable, unable.address)).rejects.toMatchObject({ code: 4200 })
  await expect(asking(wallet, '0x71C7656EC7ab88b098defB751B7401B5f6d8976F')).rejects.toMatchObject({
    code: 4100,
  })
  const elsewhere = { ...typedData, domain: { ...typedData.domain, chainId: 1 } }
  await expect(asking(wallet, wallet.address, elsewhere)).rejects.toMatchObject({ code: -32602 })
  wallet.rejectNext()
  await expect(asking(wallet, wallet.address)).rejects.toMatchObject({ code: 4001 })
})
