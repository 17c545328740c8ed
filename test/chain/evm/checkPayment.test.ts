import { concatHex, encodeFunctionData, erc20Abi, type Hex, parseAbi, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { checkPayment, getDepositAddress, toOrderReference } from '../../../src/chain/index.js'
import { orders } from '../../../src/testing/orders.js'
import {
  codeOf,
  contracts,
  deadline,
  deposit,
  nativeOrder,
  orderId,
  payer,
  routerPay,
  stranger,
  tokenOrder,
  transfer,
  usdc,
  withPayment,
  withQuote,
} from './payable.js'

const rules = { contracts }
const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [deposit, 36_000_000n] })
const calls = parseAbi([
  'function multicall(bytes[] calls)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function execute(address to, uint256 value, bytes data)',
])
/** The first argument's 12 bytes of padding, which a decoder throws away, filled with something. */
const soil = (data: Hex): Hex => `${data.slice(0, 10)}ff${data.slice(12)}` as Hex

describe('checkPayment', () => {
  test('default', () => {
    expect(checkPayment(nativeOrder(), rules)).toEqual({
      chain: 'base-sepolia',
      chainId: 84532,
      payerAddress: payer,
      to: contracts.router,
      valueWei: 12_000_000_000_000_000n,
      data: routerPay(),
      recipient: contracts.router,
      currency: 'eth',
      units: 12_000_000_000_000_000n,
      token: undefined,
    })
  })

  test('parameters: a token', () => {
    expect(checkPayment(tokenOrder(), rules)).toEqual({
      chain: 'base-sepolia',
      chainId: 84532,
      payerAddress: payer,
      to: usdc,
      valueWei: 0n,
      data: transfer(),
      recipient: deposit,
      currency: 'usdc',
      units: 36_000_000n,
      token: { address: usdc, decimals: 6 },
    })
  })

  test('parameters: tokens', () => {
    const own = { address: stranger, decimals: 6 }
    const order = tokenOrder({ to: stranger })
    expect(() => checkPayment(order, rules)).toThrow(
      expect.objectContaining({
        code: 'pay.token-mismatch',
        context: { currency: 'usdc', expected: usdc, prepared: stranger },
      }),
    )
    expect(checkPayment(order, { ...rules, tokens: { 'base-sepolia': { usdc: own } } }).token).toEqual(own)
  })

  test('behavior: without contracts the service decides where the money goes', () => {
    expect(checkPayment(nativeOrder({ to: stranger }), {}).recipient).toBe(stranger)
    expect(checkPayment(nativeOrder({ to: stranger, data: '0x' }), {}).data).toBe('0x')
    expect(checkPayment(tokenOrder({ data: transfer(stranger) }), {}).recipient).toBe(stranger)
  })

  test('behavior: the case of a currency and of the app’s addresses does not matter', () => {
    const lower = {
      contracts: {
        router: contracts.router.toLowerCase() as Hex,
        depositFactory: contracts.depositFactory.toLowerCase() as Hex,
      },
    }
    expect(checkPayment(withPayment(nativeOrder(), { currency: 'ETH' }), lower).currency).toBe('eth')
    expect(checkPayment(tokenOrder(), lower).recipient).toBe(deposit)
  })

  test('behavior: once a part of the price was paid, only the rest is', () => {
    const [amount, currency] = ['0.022', 'eth']
    expect(checkPayment(orders.underpaid, {}).units).toBe(22_000_000_000_000_000n)
    const { payment, quote } = orders.underpaid
    const codes = [
      { ...orders.underpaid, payment: { ...payment, remaining: undefined } },
      { ...orders.underpaid, quote: { ...quote, totalPrice: { amount: '0.0219', currency } } },
      { ...orders.underpaid, payment: { ...payment, remaining: { amount, currency: 'usdc' } } },
      { ...orders.underpaid, quote: { ...quote, totalPrice: undefined } },
      { ...orders.underpaid, payment: { ...payment, remaining: { amount: '-1', currency } } },
    ].map((order) => codeOf(() => checkPayment(order, {})))
    expect(codes).toEqual(['pay.amount-mismatch', ...Array(4).fill('pay.preparation-invalid')])
  })

  test('behavior: an order that does not repeat its currency is paid in that of its price', () => {
    expect(checkPayment(withPayment(tokenOrder(), { currency: undefined }), rules).currency).toBe('usdc')
  })

  test('error: pay.preparation-invalid', () => {
    const codes = [
      withPayment(nativeOrder(), { preparation: undefined }),
      withQuote(nativeOrder(), { totalPrice: undefined }),
      withPayment(nativeOrder(), { currency: 'usdc' }),
    ].map((order) => codeOf(() => checkPayment(order, rules)))
    expect(codes).toEqual(Array(3).fill('pay.preparation-invalid'))
    const none = withPayment(nativeOrder(), { preparation: undefined })
    expect(() => checkPayment(none, rules)).toThrow(
      expect.objectContaining({ context: { reason: 'the order has none' } }),
    )
  })

  test('behavior: an address that the app spells without its checksum is the same address', () => {
    const odd = (address: string) =>
      `0x${[...address.slice(2).toLowerCase()].map((digit, at) => (at % 2 ? digit : digit.toUpperCase())).join('')}`
    const oddContracts = { router: odd(contracts.router), depositFactory: odd(contracts.depositFactory) }
    expect(checkPayment(tokenOrder(), { contracts: oddContracts as typeof contracts }).recipient).toBe(
      deposit,
    )
    const order = nativeOrder()
    const { preparation } = order.payment
    if (!preparation) throw new Error('no preparation')
    const oddly = withPayment(order, { preparation: { ...preparation, payerAddress: odd(stranger) } })
    expect(checkPayment(oddly, rules).payerAddress).toBe(stranger)
  })

  test('error: pay.preparation-invalid names both currencies', () => {
    expect(() => checkPayment(withPayment(nativeOrder(), { currency: 'usdc' }), rules)).toThrow(
      /price is in eth, the payment in usdc/,
    )
  })

  test('error: pay.token-unknown', () => {
    const priced = (currency: string) =>
      withPayment(withQuote(tokenOrder(), { totalPrice: { amount: '36', currency } }), { currency })
    for (const currency of ['usdt', 'constructor', '__proto__', 'pol'])
      expect(codeOf(() => checkPayment(priced(currency), rules))).toBe('pay.token-unknown')
  })

  test('error: pay.token-mismatch', () => {
    expect(codeOf(() => checkPayment(tokenOrder({ to: stranger }), rules))).toBe('pay.token-mismatch')
  })

  test.each<[string, number | string]>([
    ['one unit more', '0.012000000000000001'],
    ['one unit less', '0.011999999999999999'],
    ['another power of ten', '0.12'],
    ['nothing', '0'],
    ['a digit that no unit holds', '0.0120000000000000001'],
    ['no number', 'twelve'],
    ['an exponent', '12e-3'],
    ['less than nothing', '-0.012'],
  ])('error: pay.amount-mismatch, a price of %s', (_what, amount) => {
    const order = withQuote(nativeOrder(), { totalPrice: { amount: String(amount), currency: 'eth' } })
    expect(codeOf(() => checkPayment(order, rules))).toBe('pay.amount-mismatch')
  })

  test('error: pay.amount-mismatch, a transaction of another amount', () => {
    for (const order of [
      nativeOrder({ value: 12_000_000_000_000_001n }),
      nativeOrder({ value: 0n }),
      tokenOrder({ data: transfer(deposit, 36_000_001n) }),
      tokenOrder({ data: transfer(deposit, 2n ** 256n - 1n) }),
    ])
      expect(codeOf(() => checkPayment(order, rules))).toBe('pay.amount-mismatch')
  })

  test('error: pay.amount-mismatch, a token with other decimals', () => {
    const tokens = { 'base-sepolia': { usdc: { address: usdc, decimals: 18 } } }
    expect(codeOf(() => checkPayment(tokenOrder(), { ...rules, tokens }))).toBe('pay.amount-mismatch')
  })

  test('error: pay.recipient-mismatch', () => {
    for (const order of [
      nativeOrder({ to: stranger }),
      nativeOrder({ to: stranger, data: '0x' }),
      tokenOrder({ data: transfer(stranger) }),
      tokenOrder({ data: transfer(getDepositAddress(contracts.depositFactory, 'another')) }),
      tokenOrder({ data: transfer(contracts.router) }),
    ])
      expect(codeOf(() => checkPayment(order, rules))).toBe('pay.recipient-mismatch')
  })

  test('error: pay.recipient-mismatch, an app that names no address', () => {
    const none = { contracts: { router: '0x', depositFactory: '0x' } } as const
    expect(codeOf(() => checkPayment(nativeOrder(), none))).toBe('pay.recipient-mismatch')
    expect(codeOf(() => checkPayment(tokenOrder(), none))).toBe('pay.recipient-mismatch')
  })

  test.each<[string, Hex]>([
    ['no call at all', '0x'],
    ['another selector', `0xdeadbeef${routerPay().slice(10)}`],
    ['a byte after the end', concatHex([routerPay(), '0x00'])],
    ['another call after the end', concatHex([routerPay(), approve])],
    ['a missing byte', routerPay().slice(0, -2) as Hex],
    ['another order', routerPay(toOrderReference('another'))],
    ['a later deadline', routerPay(undefined, deadline + 1n)],
    ['an earlier deadline', routerPay(undefined, deadline - 1n)],
    ['a deadline without end', routerPay(undefined, 2n ** 256n - 1n)],
    ['a transfer', transfer()],
    ['several calls', encodeFunctionData({ abi: calls, functionName: 'multicall', args: [[routerPay()]] })],
  ])('error: pay.call-not-allowed, native, %s', (_what, data) => {
    expect(codeOf(() => checkPayment(nativeOrder({ data }), rules))).toBe('pay.call-not-allowed')
    if (data !== '0x')
      expect(codeOf(() => checkPayment(nativeOrder({ data }), {}))).toBe('pay.call-not-allowed')
  })

  test('error: pay.call-not-allowed, a quote that ends sooner, later or not at all', () => {
    for (const expiresAt of [undefined, 'soon', '', '2030-01-01T00:09:59.999Z', '2030-01-01T00:10:01.000Z'])
      expect(codeOf(() => checkPayment(withQuote(nativeOrder(), { expiresAt }), rules))).toBe(
        'pay.call-not-allowed',
      )
    const later = withQuote(nativeOrder(), { expiresAt: '2030-01-01T00:10:00.999Z' })
    expect(codeOf(() => checkPayment(later, rules))).toBe('none')
  })

  test.each<[string, Hex]>([
    ['no call at all', '0x'],
    ['an approval', approve],
    [
      'a transfer from another account',
      encodeFunctionData({
        abi: erc20Abi,
        functionName: 'transferFrom',
        args: [payer, deposit, 36_000_000n],
      }),
    ],
    [
      'a permit',
      encodeFunctionData({
        abi: calls,
        functionName: 'permit',
        args: [payer, deposit, 36_000_000n, deadline, 27, `0x${'1'.repeat(64)}`, `0x${'2'.repeat(64)}`],
      }),
    ],
    ['several calls', encodeFunctionData({ abi: calls, functionName: 'multicall', args: [[transfer()]] })],
    [
      'a call in a call',
      encodeFunctionData({ abi: calls, functionName: 'execute', args: [usdc, 0n, transfer()] }),
    ],
    ['padding that is not empty', soil(transfer())],
    ['a byte after the end', concatHex([transfer(), '0x00'])],
    ['another call after the end', concatHex([transfer(), approve])],
    ['a missing byte', transfer().slice(0, -2) as Hex],
    ['the router’s call', routerPay()],
  ])('error: pay.call-not-allowed, token, %s', (_what, data) => {
    expect(codeOf(() => checkPayment(tokenOrder({ data }), rules))).toBe('pay.call-not-allowed')
    expect(codeOf(() => checkPayment(tokenOrder({ data }), {}))).toBe('pay.call-not-allowed')
  })

  test('error: pay.call-not-allowed, native money beside a token', () => {
    expect(codeOf(() => checkPayment(tokenOrder({ value: 1n }), rules))).toBe('pay.call-not-allowed')
  })

  test('error: pay.call-not-allowed, recipients that are wrong for everybody', () => {
    for (const [order, reason] of [
      [nativeOrder({ to: zeroAddress, data: '0x' }), 'it pays the zero address'],
      [nativeOrder({ to: payer, data: '0x' }), 'it pays the payer'],
      [nativeOrder({ to: payer }), 'it pays the payer'],
      [tokenOrder({ data: transfer(zeroAddress) }), 'it pays the zero address'],
      [tokenOrder({ data: transfer(usdc) }), 'it pays the contract of the token'],
      [tokenOrder({ data: transfer(payer) }), 'it pays the payer'],
    ] as const) {
      const refusal = { code: 'pay.call-not-allowed', context: { reason } }
      expect(() => checkPayment(order, {})).toThrow(expect.objectContaining(refusal))
    }
  })

  test('behavior: a native price is never a token’s, nor the reverse', () => {
    const inEth = { totalPrice: { amount: '36', currency: 'eth' } }
    const tokens = { 'base-sepolia': { eth: { address: usdc, decimals: 6 } } }
    const order = withPayment(withQuote(tokenOrder(), inEth), { currency: 'eth' })
    expect(codeOf(() => checkPayment(order, { tokens }))).toBe('pay.call-not-allowed')
    const inUsdc = { totalPrice: { amount: '12000000000', currency: 'usdc' } }
    const reverse = withPayment(withQuote(nativeOrder(), inUsdc), { currency: 'usdc' })
    expect(codeOf(() => checkPayment(reverse, {}))).toBe('pay.token-mismatch')
  })

  test('behavior: what the service writes comes out short and on one line', () => {
    const currency = `usdc\u202e\n${'x'.repeat(10_000)}`
    const order = withPayment(withQuote(tokenOrder(), { totalPrice: { amount: '36', currency } }), {
      currency,
    })
    try {
      checkPayment(order, rules)
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ code: 'pay.token-unknown' })
      expect(String(error).length).toBeLessThan(200)
      expect(String(error)).not.toMatch(/[\u202e\n]/)
    }
  })

  test('behavior: the reference is of the order’s id as it is written', () => {
    expect(codeOf(() => checkPayment({ ...nativeOrder(), orderId: orderId.toUpperCase() }, rules))).toBe(
      'pay.call-not-allowed',
    )
  })
})
