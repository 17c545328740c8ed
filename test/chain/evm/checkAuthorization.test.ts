import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import { checkAuthorization, type PaymentRules, permitSpender } from '../../../src/chain/index.js'
import {
  nonceOfQuote,
  type ProposedTerms,
  writeAuthorization,
} from '../../../src/engine/evm/authorization.js'
import type { Order } from '../../../src/schema/index.js'
import { authorizationKinds } from '../../../src/schema/orderMembers.js'
import {
  codeOf,
  contracts,
  deadline,
  deposit,
  expiresAt,
  orderId,
  payer,
  stranger,
  tokenOrder,
  transfer,
  usdc,
  withPayment,
  withPreparation,
  withQuote,
} from './payable.js'

const nowMs = Date.parse(expiresAt) - 300_000
const units = 36_000_000n

const termsOf = (kind: ProposedTerms['kind'], fields: Partial<ProposedTerms> = {}): ProposedTerms => ({
  kind,
  chainId: 84_532,
  token: usdc,
  domain: { name: 'USDC', version: '2' },
  spender: permitSpender,
  payer,
  recipient: deposit,
  units,
  validBefore: deadline,
  nonce: nonceOfQuote({ orderId, units, deadlineMs: Date.parse(expiresAt) }),
  permitNonce: 7n,
  ...fields,
})

const orderOf = (offered: unknown): Order => {
  const order = withPayment(tokenOrder(), { gas: 'shop' })
  return withPreparation(order, { authorization: offered })
}

const offering = (kind: ProposedTerms['kind'], fields?: Partial<ProposedTerms>): Order =>
  orderOf(writeAuthorization(termsOf(kind, fields)))

const check = (order: Order, rules: PaymentRules = { contracts }) => checkAuthorization(order, rules, nowMs)

describe.each(authorizationKinds)('%s', (kind) => {
  test('default: the payment is the transfer that a transaction would make', () => {
    const { payment, terms } = check(offering(kind))
    expect(payment).toEqual({
      chain: 'base-sepolia',
      chainId: 84_532,
      payerAddress: payer,
      to: usdc,
      valueWei: 0n,
      data: transfer(),
      recipient: deposit,
      currency: 'usdc',
      units,
      token: { address: usdc, decimals: 6 },
      authorization: kind,
    })
    expect(writeAuthorization(terms)).toEqual(writeAuthorization(termsOf(kind)))
  })

  test('behavior: what is left of the price is due after a part of it was paid', () => {
    const remaining = { amount: '6', currency: 'usdc' }
    const left = { units: 6_000_000n }
    const nonce = nonceOfQuote({ orderId, units: 6_000_000n, deadlineMs: Date.parse(expiresAt) })
    const order = withPayment(offering(kind, { ...left, nonce }), { remaining })
    expect(check(order).payment.units).toBe(6_000_000n)
    expect(codeOf(() => check(withPayment(offering(kind), { remaining })))).toBe('pay.preparation-invalid')
  })

  test('behavior: without contracts of the app, the service names the recipient', () => {
    expect(check(offering(kind, { recipient: stranger }), {}).payment.recipient).toBe(stranger)
  })

  test('error: pay.recipient-mismatch', () => {
    expect(codeOf(() => check(offering(kind, { recipient: stranger })))).toBe('pay.recipient-mismatch')
  })

  test('error: pay.token-mismatch', () => {
    expect(codeOf(() => check(offering(kind, { token: stranger })))).toBe('pay.token-mismatch')
  })

  test('error: pay.call-not-allowed for a recipient that no shop has', () => {
    const zero: Address = '0x0000000000000000000000000000000000000000'
    for (const recipient of [zero, payer, usdc])
      expect(codeOf(() => check(offering(kind, { recipient }), {}))).toBe('pay.call-not-allowed')
  })

  test('error: pay.preparation-invalid, naming the field', () => {
    expect(() => check(offering(kind, { units: 36_000_001n }))).toThrow(/expected 36000000, got 36000001/)
    expect(() => check(offering(kind, { validBefore: deadline + 1n }))).toThrow(/expected 1893456600/)
    expect(() => checkAuthorization(offering(kind), { contracts }, Date.parse(expiresAt))).toThrow(
      /expected 1893456600/,
    )
  })

  test('error: another order, another token, another chain', () => {
    const order = offering(kind)
    expect(codeOf(() => check({ ...order, orderId: 'other' }, {}))).toBe('pay.preparation-invalid')
    const unknown = withQuote(order, { totalPrice: { amount: '36', currency: 'usdt' } })
    expect(codeOf(() => check(withPayment(unknown, { currency: 'usdt' })))).toBe('pay.token-unknown')
    expect(codeOf(() => check(withPreparation(order, { chain: 'nowhere' })))).toBe('pay.chain-not-configured')
    expect(codeOf(() => check(withPayment(order, { method: 'base' })))).toBe('pay.chain-mismatch')
  })
})

test.each([
  ['nothing', undefined],
  ['null', null],
  ['a text', 'sign this'],
  ['another kind', { kind: 'erc7702', typedData: { domain: {}, message: {} } }],
  ['no typed data', { kind: 'erc3009' }],
  ['a domain that is a list', { kind: 'erc3009', typedData: { domain: [], message: {} } }],
  ['no message', { kind: 'permit2', typedData: { domain: {} } }],
  ['a permit without a nonce', { kind: 'permit', typedData: { domain: {}, message: {} } }],
  ['too much', { kind: 'erc3009', typedData: { domain: {}, message: {}, more: 'x'.repeat(9_000) } }],
])('error: pay.preparation-invalid for %s', (_, offered) => {
  expect(codeOf(() => check(orderOf(offered), {}))).toBe('pay.preparation-invalid')
})

test('error: pay.preparation-invalid for what is nested too deeply to read', () => {
  let nested: unknown = {}
  for (let depth = 0; depth < 200_000; depth++) nested = { nested }
  const offered = { kind: 'erc3009', typedData: { domain: {}, message: { nested } } }
  expect(codeOf(() => check(orderOf(offered)))).toBe('pay.preparation-invalid')
})
