import fc from 'fast-check'
import { encodeFunctionData, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { orderAnswer } from '../../../src/api/getOrder.js'
import { createTransferRequest, getDepositAddress } from '../../../src/chain/index.js'
import { isKassaError } from '../../../src/errors/index.js'
import { toBaseUnits } from '../../../src/schema/baseUnits.js'
import { evmChains, isEvmChainName } from '../../../src/schema/chains.js'
import type { Order, UnknownMember } from '../../../src/schema/index.js'
import { orderMutations } from '../../pay/hostile/orderMutations.js'
import { scenarios } from '../../pay/hostile/scenario.js'
import { transactionMutations } from '../../pay/hostile/transactionMutations.js'
import {
  codeOf,
  contracts,
  deadline,
  deposit,
  expiresAt,
  nativeOrder,
  orderId,
  routerPay,
  stranger,
  tokenOrder,
  transfer,
  usdc,
  withPayment,
  withPreparation,
  withQuote,
} from './payable.js'

const rules = { contracts }

/** An order before its payer is known, which has no transaction to sign. */
const withoutPayer = (order: Order): Order =>
  withPayment(order, { status: 'requires-crypto-payer-address', preparation: undefined })

/** Reads a request as a wallet does (EIP-681), and encodes what the wallet would send. */
const readRequest = (uri: string) => {
  const match = /^ethereum:(0x[0-9a-fA-F]{40})@(\d+)\/(transfer|pay)\?(.*)$/.exec(uri)
  if (!match) throw new Error(`${uri} is no request`)
  const [, to = '', chainId, name, query] = match
  const { value = '0', ...args } = Object.fromEntries(new URLSearchParams(query))
  const abi = parseAbi([`function ${name}(${Object.keys(args).join()})`] as string[])
  const data = encodeFunctionData({ abi, functionName: name, args: Object.values(args) } as never)
  return { to, chainId: Number(chainId), value: BigInt(value), data }
}

describe('createTransferRequest', () => {
  test('default', () => {
    const request = createTransferRequest(withoutPayer(tokenOrder()), rules)
    expect(request).toEqual({
      uri: `ethereum:${usdc}@84532/transfer?address=${deposit}&uint256=36000000`,
      chain: 'base-sepolia',
      chainId: 84532,
      address: deposit,
      amount: '36',
      currency: 'usdc',
      units: 36_000_000n,
    })
    expect(readRequest(request?.uri ?? '')).toEqual({ to: usdc, chainId: 84532, value: 0n, data: transfer() })
  })

  test('parameters: the native currency', () => {
    const request = createTransferRequest(withoutPayer(nativeOrder()), rules)
    // No address: coins that are sent to one by hand name no order.
    expect(request).toMatchObject({ address: undefined, amount: '0.012', units: 12_000_000_000_000_000n })
    expect(readRequest(request?.uri ?? '')).toEqual({
      to: contracts.router,
      chainId: 84532,
      value: 12_000_000_000_000_000n,
      data: routerPay(),
    })
    expect(request?.uri).toContain(`uint256=${deadline}`)
  })

  test.each([
    ['arbitrum', 'usdc', 42161, 6],
    ['polygon-amoy', 'pol', 80002, 18],
    ['avalanche', 'usdc', 43114, 6],
  ] as const)('parameters: %s, %s', (method, currency, chainId, decimals) => {
    const amount = '1.000001'
    const order = withQuote(withPayment(withoutPayer(nativeOrder()), { method, currency }), {
      totalPrice: { amount, currency },
    })
    const request = createTransferRequest(order, rules)
    expect(request).toMatchObject({ chain: method, chainId, currency, units: toBaseUnits(amount, decimals) })
    expect(readRequest(request?.uri ?? '').chainId).toBe(chainId)
  })

  test('parameters: tokens', () => {
    const own = { address: stranger, decimals: 2 }
    const order = withoutPayer(tokenOrder())
    const request = createTransferRequest(order, { ...rules, tokens: { 'base-sepolia': { usdc: own } } })
    expect(request).toMatchObject({ units: 3600n, address: deposit })
    expect(readRequest(request?.uri ?? '').to).toBe(stranger)
  })

  test('behavior: the same with a transaction to sign', () => {
    for (const order of [nativeOrder(), tokenOrder()])
      expect(createTransferRequest(order, rules)).toEqual(createTransferRequest(withoutPayer(order), rules))
  })

  test('behavior: none without the app’s contracts, and for an order that costs nothing', () => {
    expect(createTransferRequest(tokenOrder(), {})).toBe(undefined)
    const free = withQuote(withoutPayer(tokenOrder()), { totalPrice: { amount: '0', currency: 'usdc' } })
    expect(createTransferRequest(free, rules)).toBe(undefined)
  })

  test('error: pay.recipient-mismatch', () => {
    for (const order of [tokenOrder({ data: transfer(stranger) }), nativeOrder({ to: stranger })])
      expect(codeOf(() => createTransferRequest(order, rules))).toBe('pay.recipient-mismatch')
  })

  test('error: pay.amount-mismatch', () => {
    const order = tokenOrder({ data: transfer(deposit, 36_000_001n) })
    expect(codeOf(() => createTransferRequest(order, rules))).toBe('pay.amount-mismatch')
  })

  test('error: pay.chain-mismatch', () => {
    const unprepared = { serializedTransaction: undefined }
    const moved = withPreparation(tokenOrder(), { ...unprepared, chain: 'base' })
    expect(codeOf(() => createTransferRequest(moved, rules))).toBe('pay.chain-mismatch')
  })

  test('error: pay.chain-not-configured', () => {
    const order = withPayment(withoutPayer(tokenOrder()), { method: 'constructor' as UnknownMember })
    expect(codeOf(() => createTransferRequest(order, rules))).toBe('pay.chain-not-configured')
  })

  test('error: pay.token-unknown', () => {
    const order = withQuote(withPayment(withoutPayer(tokenOrder()), { currency: 'usdt' }), {
      totalPrice: { amount: '36', currency: 'usdt' },
    })
    expect(codeOf(() => createTransferRequest(order, rules))).toBe('pay.token-unknown')
  })

  test('error: pay.preparation-invalid', () => {
    const native = withoutPayer(nativeOrder())
    const wrong = { router: contracts.router, depositFactory: '0x12' as const }
    const codes = [
      () => createTransferRequest(withQuote(native, { totalPrice: undefined }), rules),
      () =>
        createTransferRequest(withQuote(native, { totalPrice: { amount: '-1', currency: 'eth' } }), rules),
      () => createTransferRequest(withQuote(native, { expiresAt: undefined }), rules),
      () => createTransferRequest(withPayment(native, { currency: 'usdc' }), rules),
      () => createTransferRequest(withoutPayer(tokenOrder()), { contracts: wrong }),
    ].map(codeOf)
    expect(codes).toEqual(Array(5).fill('pay.preparation-invalid'))
  })
})

/** What the order says of its own payment, worked out here anew. */
const expectOwnPayment = (order: Order, uri: string): void => {
  const { to, chainId, value, data } = readRequest(uri)
  const { method = order.payment.preparation?.chain ?? '' } = order.payment
  if (!isEvmChainName(method)) throw new Error(`${method} is no chain`)
  const { amount, currency } = order.quote.totalPrice ?? { amount: '', currency: '' }
  expect(chainId).toBe(evmChains[method].chainId)
  if (currency.toLowerCase() === evmChains[method].nativeCurrency) {
    const ends = BigInt(Math.floor(Date.parse(order.quote.expiresAt ?? '') / 1000))
    expect([to, value, data]).toEqual([contracts.router, toBaseUnits(amount, 18), routerPay(undefined, ends)])
  } else {
    const units = toBaseUnits(amount, 6)
    expect([value, data]).toEqual([0n, transfer(getDepositAddress(contracts.depositFactory, orderId), units)])
  }
}

describe.each(scenarios.filter(({ rules: { contracts: pinned } }) => pinned))(
  'a hostile service, $name',
  (scenario) => {
    const kinds = { ...transactionMutations(scenario), ...orderMutations(scenario) }
    const read = orderAnswer(orderId)

    /** What the page makes of an answer: the address that it shows, or the code of the error. */
    const answer = (body: unknown): string => {
      const order = read(body)
      if (!('data' in order)) return 'unreadable'
      try {
        const request = createTransferRequest(order.data, scenario.rules)
        if (!request) return 'none'
        expectOwnPayment(order.data, request.uri)
        return 'shown'
      } catch (error) {
        if (isKassaError(error)) return error.code
        throw error
      }
    }

    test('default: the truth is shown', () => {
      expect(answer(scenario.order)).toBe('shown')
      expect(scenario.order.quote.expiresAt).toBe(expiresAt)
    })

    test.each(Object.entries(kinds))(
      'behavior: nothing but the order’s own payment, %s',
      (_kind, mutations) =>
        fc.assert(
          fc.property(mutations, ({ answers }) => {
            for (const body of answers) answer(body)
          }),
          { numRuns: 250 },
        ),
    )

    test.each(Object.entries(transactionMutations(scenario)))(
      'behavior: a transaction of another payment is refused, %s',
      (_kind, mutations) =>
        fc.assert(
          fc.property(mutations, ({ answers, isHarmless }) => {
            if (!isHarmless) expect(answers.map(answer)).not.toContain('shown')
          }),
          { numRuns: 250 },
        ),
    )
  },
)
