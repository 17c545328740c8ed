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
  orderId,
  payer,
  solanaOrder,
  stranger,
  transferOf,
  withoutKey,
} from './solanaPayable.js'

const rules = { operator }
const units = 500_000_000n
const message = (change: Partial<ReturnType<typeof transferOf>> = {}) =>
  encodeMessage([{ ...transferOf('sol', units), ...change }, memo()])
const withoutPayer = (order: Order): Order =>
  withPayment(order, { status: 'requires-crypto-payer-address', preparation: undefined })

describe('createSolanaRequest', () => {
  test('default', () => {
    const { owner, references } = accountsOf('sol')
    const request = createSolanaRequest(withoutPayer(solanaOrder('')), rules)
    const named = `reference=${references[0]}&reference=${references[1]}&memo=Order%20${orderId}`
    expect(request).toEqual({
      uri: `solana:${owner}?amount=0.5&${named}`,
      chain: 'solana',
      chainId: undefined,
      address: owner,
      amount: '0.5',
      currency: 'sol',
      units,
    })
    expect(createSolanaRequest(solanaOrder(message()), rules)).toEqual(request)
  })

  test('parameters: a token goes to the same address, whose associated account the wallet finds', () => {
    const { owner } = accountsOf('usdc')
    const tokens = { usdc: { address: mint, decimals: 6 } }
    const order = withoutPayer(solanaOrder('', 'usdc', '12.5'))
    const request = createSolanaRequest(order, { ...rules, tokens })
    const fields = new URL(request?.uri ?? '').searchParams
    expect(request).toMatchObject({ address: owner, amount: '12.5', currency: 'usdc', units: 12_500_000n })
    expect(request?.uri).toMatch(new RegExp(`^solana:${owner}\\?`))
    expect(owner).toBe(accountsOf('sol').owner)
    expect([fields.get('amount'), fields.get('spl-token')]).toEqual(['12.5', mint])
    expect(codeOf(() => createSolanaRequest(withoutPayer(solanaOrder('', 'bonk', '1')), rules))).toBe(
      'pay.token-unknown',
    )
  })

  test('behavior: none without the app’s operator, and for an order that costs nothing', () => {
    const free = withoutPayer(solanaOrder('', 'sol', '0'))
    expect(createSolanaRequest(withoutPayer(solanaOrder('')), {})).toBe(undefined)
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
      () => createSolanaRequest(order, { operator: withoutKey }),
    ].map(codeOf)
    expect(codes).toEqual(Array(4).fill('pay.preparation-invalid'))
  })
})
