import { describe, expect, test } from 'vitest'
import { createSolanaRequest } from '../../../src/chain/index.js'
import type { Order } from '../../../src/schema/index.js'
import { codeOf, withPayment, withQuote } from '../evm/payable.js'
import {
  accountsOf,
  encodeMessage,
  memo,
  mint,
  operator,
  payer,
  solanaOrder,
  stranger,
  transferOf,
} from './solanaPayable.js'

const rules = { operator }
const units = 500_000_000n
const message = (change: Partial<ReturnType<typeof transferOf>> = {}) =>
  encodeMessage([{ ...transferOf('sol', units), ...change }, memo()])
const withoutPayer = (order: Order): Order =>
  withPayment(order, { status: 'requires-crypto-payer-address', preparation: undefined })

describe('createSolanaRequest', () => {
  test('default', () => {
    const { account, references } = accountsOf('sol')
    const request = createSolanaRequest(withoutPayer(solanaOrder('')), rules)
    expect(request).toEqual({
      uri: `solana:${account}?amount=0.5&reference=${references[0]}&reference=${references[1]}`,
      chain: 'solana',
      chainId: undefined,
      address: undefined,
      amount: '0.5',
      currency: 'sol',
      units,
    })
    expect(createSolanaRequest(solanaOrder(message()), rules)).toEqual(request)
  })

  test('behavior: none without the app’s operator, for tokens, and for an order that costs nothing', () => {
    const tokens = { usdc: { address: mint, decimals: 6 } }
    const token = withoutPayer(solanaOrder('', 'usdc', '12.5'))
    const free = withoutPayer(solanaOrder('', 'sol', '0'))
    expect(createSolanaRequest(withoutPayer(solanaOrder('')), {})).toBe(undefined)
    expect(createSolanaRequest(token, { ...rules, tokens })).toBe(undefined)
    expect(createSolanaRequest(free, rules)).toBe(undefined)
  })

  test('error: a message of another payment', () => {
    const { references } = accountsOf('sol')
    const elsewhere = message({ accounts: [payer, stranger, ...references] })
    expect(codeOf(() => createSolanaRequest(solanaOrder(elsewhere), rules))).toBe('pay.recipient-mismatch')
    const dearer = solanaOrder(encodeMessage([transferOf('sol', units + 1n)]))
    expect(codeOf(() => createSolanaRequest(dearer, rules))).toBe('pay.amount-mismatch')
  })

  test('error: pay.chain-mismatch', () => {
    const order = withPayment(solanaOrder(''), { preparation: { chain: 'base' } })
    expect(codeOf(() => createSolanaRequest(order, rules))).toBe('pay.chain-mismatch')
  })

  test('error: pay.preparation-invalid', () => {
    const order = withoutPayer(solanaOrder(''))
    const codes = [
      () => createSolanaRequest(withQuote(order, { totalPrice: undefined }), rules),
      () => createSolanaRequest(withQuote(order, { totalPrice: { amount: '1e3', currency: 'sol' } }), rules),
      () => createSolanaRequest(order, { operator: 'nobody' }),
    ].map(codeOf)
    expect(codes).toEqual(Array(3).fill('pay.preparation-invalid'))
  })
})
