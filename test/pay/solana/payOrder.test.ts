import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refreshOrder } from '../../../src/api/orders.js'
import { createShop, type Shop } from '../../helpers/createShop.js'
import { createSolanaBuyer, type SolanaBuyerOptions, solanaOf } from '../../helpers/createSolanaBuyer.js'
import { codeOf } from '../../helpers/follow.js'
import { away, type Reply } from '../../helpers/scriptedSolanaNode.js'
import { createSolanaKey, signatureOf } from '../../helpers/scriptedSolanaWallet.js'
import { ProviderError } from '../../helpers/scriptedWallet.js'
import { editMessage, withAmount, withRecipient } from '../../helpers/solanaMessages.js'

let shop: Shop
beforeAll(async () => {
  shop = await createShop({ solana: { slotMs: 50 } })
})
afterAll(() => shop.close())

const newBuyer = (options?: SolanaBuyerOptions) => createSolanaBuyer(shop, options)
type Buyer = Awaited<ReturnType<typeof newBuyer>>

/** Expects that nothing was stored and nothing sent, and that the buyer can pay afterwards. */
const expectUnpaid = async (buyer: Buyer): Promise<void> => {
  expect(buyer.attempts()).toEqual([])
  expect(buyer.node.asked).not.toContain('sendTransaction')
  expect(buyer.listPayments()).toEqual([])
}

describe('a payment on Solana', () => {
  test.each([
    ['sol', 'signs and sends', false],
    ['usdc', 'signs and sends', false],
    ['sol', 'only signs', true],
    ['usdc', 'only signs', true],
  ] as const)('default: in %s, by a wallet that %s', async (currency, _, isSigningOnly) => {
    const buyer = await newBuyer({ currency, isSigningOnly })
    const { payment, parameters } = await buyer.openPage()
    const step = await payment.pay(parameters)
    const [message = new Uint8Array()] = buyer.wallet.asked
    const txId = signatureOf(buyer.key.sign(message))
    expect(step).toEqual({ status: 'paid', txId })
    const { payment: paid, lineItems } = await buyer.awaitCompleted()
    expect(paid.received).toMatchObject({ txId, currency })
    expect(lineItems[0]?.delivery.status).toBe('completed')
    expect(buyer.wallet.asked).toHaveLength(1)
    expect(buyer.listPayments()).toEqual([txId])
    await expect.poll(buyer.attempts).toEqual([])
  })

  test('behavior: the app hears what is paid before the wallet is asked', async () => {
    const buyer = await newBuyer({ currency: 'usdc' })
    const { payment, parameters } = await buyer.openPage()
    const events: unknown[] = []
    await payment.pay({ ...parameters, onEvent: (event) => void events.push(event) })
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'payment.checked',
        chain: 'solana',
        amount: { amount: '75', currency: 'usdc' },
        token: parameters.solana && expect.any(String),
      }),
    )
    expect(JSON.stringify(events)).not.toContain(buyer.key.address)
  })
})

describe('error: pay.rejected', () => {
  test.each([
    ['by a wallet that sends, with 4001', false, new ProviderError(4001, 'User rejected the request.')],
    ["by a wallet that sends, with Wallet Standard's code", false, new ProviderError(4_001_000, 'rejected')],
    [
      'by a wallet that sends, inside another error',
      false,
      new Error('failed', { cause: new ProviderError(4001, '') }),
    ],
    ['by a wallet that signs', true, new ProviderError(4001, 'User rejected the request.')],
  ])('%s: nothing is stored and nothing sent', async (_, isSigningOnly, refusal) => {
    const buyer = await newBuyer({ isSigningOnly })
    const { payment, parameters } = await buyer.openPage()
    buyer.wallet.script.onAsk = () => Promise.reject(refusal)
    expect(codeOf(await payment.pay(parameters))).toBe('pay.rejected')
    await expectUnpaid(buyer)
    buyer.wallet.script.onAsk = (_ask, proceed) => proceed()
    expect(codeOf(await payment.pay(parameters))).toBe('paid')
    expect(buyer.listPayments()).toHaveLength(1)
  })
})

describe('error: pay.wallet-failed', () => {
  const stranger = createSolanaKey().address
  const fee = {
    programAddress: 'ComputeBudget111111111111111111111111111111',
    data: Uint8Array.from([3, 16, 39, 0, 0, 0, 0, 0, 0]),
  } as never

  test.each([
    ['another recipient', (message: Uint8Array) => withRecipient(message, stranger)],
    ['another amount', (message: Uint8Array) => withAmount(message, 500_000_001n)],
    [
      'no reference of the order',
      (message: Uint8Array) =>
        editMessage(message, (draft) => ({
          ...draft,
          instructions: draft.instructions.map((each, at) =>
            at === draft.instructions.length - 1 && each.accounts
              ? { ...each, accounts: each.accounts.slice(0, 2) }
              : each,
          ),
        })),
    ],
    [
      'the payment twice',
      (message: Uint8Array) =>
        editMessage(message, (draft) => ({
          ...draft,
          instructions: [...draft.instructions, ...draft.instructions.slice(-1)],
        })),
    ],
    [
      'a block that runs out later',
      (message: Uint8Array) =>
        editMessage(message, (draft) => ({
          ...draft,
          blockhash: solanaOf(shop).node.cluster.blockAt('confirmed').blockhash,
        })),
    ],
    [
      'another payer of the fee',
      (message: Uint8Array) => editMessage(message, (draft) => ({ ...draft, feePayer: stranger })),
    ],
    ['bytes that are no message', (message: Uint8Array) => message.slice(0, -1)],
  ])('a wallet that signs %s: it is never sent', async (_, edit) => {
    const buyer = await newBuyer({ isSigningOnly: true })
    const { payment, parameters } = await buyer.openPage()
    // The block that the message names is no longer the newest.
    for (let blocks = 0; blocks < 3; blocks++) solanaOf(shop).node.tick()
    buyer.wallet.script.onAsk = async ({ message, sign }) => sign(edit(message))
    expect(codeOf(await payment.pay(parameters))).toBe('pay.wallet-failed')
    await expectUnpaid(buyer)
  })

  test('behavior: a wallet may add a fee to what it signs', async () => {
    const buyer = await newBuyer({ isSigningOnly: true })
    const { payment, parameters } = await buyer.openPage()
    buyer.wallet.script.onAsk = async ({ message, sign }) =>
      sign(
        editMessage(message, (draft) => ({
          ...draft,
          instructions: [...draft.instructions.slice(0, 1), fee, ...draft.instructions.slice(1)],
        })),
      )
    expect(codeOf(await payment.pay(parameters))).toBe('paid')
    expect(buyer.listPayments()).toHaveLength(1)
  })

  test.each([
    ['an error without a code', () => Promise.reject(new Error('locked'))],
    [
      'no signature',
      async ({ message }: { message: Uint8Array }) => Uint8Array.from([1, ...new Uint8Array(64), ...message]),
    ],
    ['nothing', async () => new Uint8Array()],
  ])('a wallet that signs answers with %s', async (_, onAsk) => {
    const buyer = await newBuyer({ isSigningOnly: true })
    const { payment, parameters } = await buyer.openPage()
    buyer.wallet.script.onAsk = onAsk
    expect(codeOf(await payment.pay(parameters))).toBe('pay.wallet-failed')
    await expectUnpaid(buyer)
  })

  test.each([4100, 4200])('a wallet that sends refuses with %s', async (code) => {
    const buyer = await newBuyer()
    const { payment, parameters } = await buyer.openPage()
    buyer.wallet.script.onAsk = () => Promise.reject(new ProviderError(code, 'no'))
    expect(codeOf(await payment.pay(parameters))).toBe('pay.wallet-failed')
    await expectUnpaid(buyer)
  })
})

describe('what stops a payment before the wallet is asked', () => {
  const expectStopped = async (buyer: Buyer, code: string, result: Promise<unknown>): Promise<void> => {
    expect(codeOf((await result) as never)).toBe(code)
    expect(buyer.wallet.asked).toEqual([])
    await expectUnpaid(buyer)
  }

  test('error: pay.not-connected', async () => {
    const buyer = await newBuyer()
    const { payment, parameters } = await buyer.openPage({ isConnected: false })
    await expectStopped(buyer, 'pay.not-connected', payment.pay(parameters))
  })

  test('error: pay.wrong-account', async () => {
    const buyer = await newBuyer()
    const { payment, parameters } = await buyer.openPage()
    buyer.wallet.change([{ ...buyer.wallet.account, address: createSolanaKey().address }])
    await expectStopped(buyer, 'pay.wrong-account', payment.pay(parameters))
  })

  test('error: pay.wrong-account when the account changes during the app’s own check', async () => {
    const buyer = await newBuyer()
    const { payment, parameters } = await buyer.openPage()
    const onBeforePay = () =>
      buyer.wallet.change([{ ...buyer.wallet.account, address: createSolanaKey().address }])
    await expectStopped(buyer, 'pay.wrong-account', payment.pay({ ...parameters, onBeforePay }))
  })

  test('error: pay.wrong-chain', async () => {
    const buyer = await newBuyer()
    const { payment, parameters } = await buyer.openPage()
    buyer.wallet.change([{ ...buyer.wallet.account, chains: ['solana:mainnet'] }])
    await expectStopped(buyer, 'pay.wrong-chain', payment.pay(parameters))
  })

  test('error: pay.chain-not-configured in an app without Solana', async () => {
    const buyer = await newBuyer()
    const { payment, parameters } = await buyer.openPage()
    await expectStopped(buyer, 'pay.chain-not-configured', payment.pay({ ...parameters, solana: undefined }))
  })

  test('error: pay.recipient-mismatch with another operator', async () => {
    const buyer = await newBuyer({ app: { operator: createSolanaKey().address } })
    const { payment, parameters } = await buyer.openPage()
    await expectStopped(buyer, 'pay.recipient-mismatch', payment.pay(parameters))
  })

  test('error: pay.token-unknown without the app’s own token', async () => {
    const buyer = await newBuyer({ currency: 'usdc', app: { tokens: undefined } })
    const { payment, parameters } = await buyer.openPage()
    await expectStopped(buyer, 'pay.token-mismatch', payment.pay(parameters))
  })

  test.each([
    ['too little', 499_999_999n, 'pay.insufficient-funds'],
    ['too little for the fee', 500_004_999n, 'pay.insufficient-funds-for-gas'],
  ])('error: %s, as the node says', async (_, lamports, code) => {
    const buyer = await newBuyer()
    const { payment, parameters } = await buyer.openPage()
    const value = Number(lamports)
    buyer.node.script.onRequest = (method) =>
      method === 'getBalance' ? { result: { context: { slot: 1 }, value } } : undefined
    await expectStopped(buyer, code, payment.pay(parameters))
  })

  test('error: pay.insufficient-funds in a token', async () => {
    const buyer = await newBuyer({ currency: 'usdc' })
    const { payment, parameters } = await buyer.openPage()
    buyer.node.script.onRequest = (method) =>
      method === 'getTokenAccountsByOwner' ? { result: { context: { slot: 1 }, value: [] } } : undefined
    await expectStopped(buyer, 'pay.insufficient-funds', payment.pay(parameters))
  })

  test.each([
    [{ InsufficientFundsForRent: { account_index: 0 } }, 'pay.insufficient-funds-for-gas'],
    [{ InstructionError: [0, { Custom: 1 }] }, 'pay.would-revert'],
  ])('error: the simulation says %o', async (err, code) => {
    const buyer = await newBuyer()
    const { payment, parameters } = await buyer.openPage()
    buyer.node.script.onRequest = (method): Reply | undefined =>
      method === 'simulateTransaction'
        ? { result: { context: { slot: 1 }, value: { err, logs: [] } } }
        : undefined
    await expectStopped(buyer, code, payment.pay(parameters))
  })

  test('error: pay.insufficient-funds-for-gas, as the service says', async () => {
    const buyer = await newBuyer({ lamports: 500_005_100n })
    const { payment, parameters } = await buyer.openPage()
    await expectStopped(buyer, 'pay.insufficient-funds-for-gas', payment.pay(parameters))
  })

  test('error: pay.chain-unavailable', async () => {
    const buyer = await newBuyer()
    const { payment, parameters } = await buyer.openPage()
    buyer.node.script.onRequest = away
    await expectStopped(buyer, 'pay.chain-unavailable', payment.pay(parameters))
  })

  test('error: pay.chain-unavailable when the tip is read from a node that lags behind the simulation', async () => {
    const buyer = await newBuyer()
    const { payment, parameters } = await buyer.openPage()
    const { slot } = solanaOf(shop).node.cluster.blockAt('confirmed')
    solanaOf(shop).node.tick()
    buyer.node.script.onRequest = (method) =>
      // It ignores the slot that it is asked for. What it says of the last block would be too early.
      method === 'getLatestBlockhash'
        ? {
            result: {
              context: { slot: Number(slot) - 1 },
              value: { blockhash: '1', lastValidBlockHeight: Number(slot) },
            },
          }
        : undefined
    await expectStopped(buyer, 'pay.chain-unavailable', payment.pay(parameters))
  })

  test('error: pay.price-changed', async () => {
    const buyer = await newBuyer()
    const { payment, parameters } = await buyer.openPage()
    const total = { amount: '0.4', currency: 'sol' }
    await expectStopped(buyer, 'pay.price-changed', payment.pay(parameters, { total }))
  })

  test('error: pay.quote-expired', async () => {
    const buyer = await newBuyer()
    const { payment, parameters } = await buyer.openPage()
    await expectStopped(
      buyer,
      'pay.quote-expired',
      payment.pay({ ...parameters, now: () => Date.now() + 86_400_000 }),
    )
  })

  /** Renews the quote in the app's own check, and so with another block, the first few times. */
  const renewing = (buyer: Awaited<ReturnType<typeof newBuyer>>, count: number) => {
    let asked = 0
    return async (): Promise<void> => {
      asked += 1
      if (asked > count) return
      solanaOf(shop).node.tick()
      await refreshOrder(buyer.merchant, { orderId: buyer.orderId })
    }
  }

  test('behavior: a quote that another client renews meanwhile, at the same price, is paid as it is now', async () => {
    const buyer = await newBuyer()
    const { payment, parameters } = await buyer.openPage()
    const step = await payment.pay({ ...parameters, onBeforePay: renewing(buyer, 1) })
    expect(codeOf(step)).toBe('paid')
  })

  test('error: pay.order-changed when it is renewed over and over', async () => {
    const buyer = await newBuyer()
    const { payment, parameters } = await buyer.openPage()
    const onBeforePay = renewing(buyer, 2)
    await expectStopped(buyer, 'pay.order-changed', payment.pay({ ...parameters, onBeforePay }))
  })

  test('error: pay.vetoed', async () => {
    const buyer = await newBuyer()
    const { payment, parameters } = await buyer.openPage()
    await expectStopped(buyer, 'pay.vetoed', payment.pay({ ...parameters, onBeforePay: () => false }))
  })

  test('behavior: a message whose block is forgotten is renewed, however young its price is', async () => {
    const buyer = await newBuyer()
    const { payment, parameters } = await buyer.openPage()
    for (let blocks = 0; blocks < 160; blocks++) solanaOf(shop).node.tick()
    await expectStopped(buyer, 'pay.quote-expired', payment.pay(parameters))
    // A little later, the price itself is older than most of a block's life.
    expect(codeOf(await payment.pay({ ...parameters, now: () => Date.now() + 21_000 }))).toBe('paid')
    expect(buyer.listPayments()).toHaveLength(1)
  })
})
