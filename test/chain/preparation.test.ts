import { encodeFunctionData, erc20Abi, type Hex, parseUnits, serializeTransaction } from 'viem'
import { describe, expect, test } from 'vitest'
import { checkAmount, readPreparation } from '../../src/chain/index.js'
import { isKassaError } from '../../src/errors.js'
import type { Order } from '../../src/schema/index.js'

const router = '0x1111111111111111111111111111111111111111'
const payer = '0x2222222222222222222222222222222222222222'
const transaction = { chainId: 84532, type: 'eip1559', to: router, value: 12n, gas: 90_000n } as const

const make = (serializedTransaction: Hex, chain = 'base-sepolia'): Order => ({
  orderId: 'one',
  phase: 'payment',
  lineItems: [],
  quote: { status: 'valid' },
  payment: { status: 'awaiting-payment', preparation: { chain, payerAddress: payer, serializedTransaction } },
})

const codeOf = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    if (isKassaError(error)) return error.code
    throw error
  }
  return 'none'
}

describe('readPreparation', () => {
  test('default', () => {
    expect(readPreparation(make(serializeTransaction(transaction)))).toEqual({
      chain: 'base-sepolia',
      chainId: 84532,
      payerAddress: payer,
      to: router,
      valueWei: 12n,
      data: '0x',
      gas: 90_000n,
    })
  })

  test('behavior: an order without a preparation has no transaction', () => {
    expect(readPreparation({ ...make('0x'), payment: { status: 'requires-quote' } })).toBeUndefined()
  })

  test.each([
    ['garbage', make('0x02deadbeef')],
    [
      'a legacy transaction',
      make(serializeTransaction({ chainId: 84532, type: 'legacy', to: router, gasPrice: 1n })),
    ],
    ['another chain', make(serializeTransaction({ ...transaction, chainId: 1 }))],
    ['a contract creation', make(serializeTransaction({ chainId: 84532, type: 'eip1559', data: '0x60' }))],
    [
      'an access list',
      make(serializeTransaction({ ...transaction, accessList: [{ address: router, storageKeys: [] }] })),
    ],
  ])('error: pay.preparation-invalid, %s', (_what, order) => {
    expect(codeOf(() => readPreparation(order))).toBe('pay.preparation-invalid')
  })
})

describe('checkAmount', () => {
  const native = readPreparation(
    make(serializeTransaction({ ...transaction, value: parseUnits('0.012', 18) })),
  )
  const transfer = (functionName: 'transfer' | 'approve', value = 0n) =>
    readPreparation(
      make(
        serializeTransaction({
          ...transaction,
          value,
          data: encodeFunctionData({ abi: erc20Abi, functionName, args: [payer, 36_000_000n] }),
        }),
      ),
    )

  test('default', () => {
    expect(native && checkAmount(native, { amount: '0.012', currency: 'eth' }, 18)).toBe(
      12_000_000_000_000_000n,
    )
  })

  test('parameters: token', () => {
    const token = transfer('transfer')
    expect(token && checkAmount(token, { amount: '36', currency: 'usdc' }, 6)).toBe(36_000_000n)
  })

  test.each(['0.012000000000000001', '0.011999999999999999', '1.2', '0'])(
    'error: pay.amount-mismatch for %s',
    (amount) => {
      expect(codeOf(() => native && checkAmount(native, { amount, currency: 'eth' }, 18))).toBe(
        'pay.amount-mismatch',
      )
    },
  )

  test('error: pay.amount-mismatch when the token has other decimals', () => {
    const token = transfer('transfer')
    expect(codeOf(() => token && checkAmount(token, { amount: '36', currency: 'usdc' }, 18))).toBe(
      'pay.amount-mismatch',
    )
  })

  test('error: pay.preparation-invalid, an approval instead of a transfer', () => {
    const token = transfer('approve')
    expect(codeOf(() => token && checkAmount(token, { amount: '36', currency: 'usdc' }, 6))).toBe(
      'pay.preparation-invalid',
    )
  })

  test('error: pay.preparation-invalid, a token payment that also sends the native currency', () => {
    const token = transfer('transfer', 1n)
    expect(codeOf(() => token && checkAmount(token, { amount: '36', currency: 'usdc' }, 6))).toBe(
      'pay.preparation-invalid',
    )
  })
})
