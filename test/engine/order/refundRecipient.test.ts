import { describe, expect, test } from 'vitest'
import type { OrderState } from '../../../src/engine/order/order.js'
import { findAddressee, findRecipient } from '../../../src/engine/order/refundRecipient.js'

const chain = { chain: 'base', parseAddress: (text: string) => text.toUpperCase() }
const payment: OrderState['payment'] = {
  chain: 'base',
  currency: 'eth',
  decimals: 18,
  status: 'completed',
}
const orderOf = (fields: Partial<OrderState['payment']>) => ({ payment: { ...payment, ...fields } })
const payer = { recipient: 'ada', sentTo: null, isContract: false }

describe('findRecipient', () => {
  test('default: a refund goes to its payer', () => {
    expect(findRecipient(chain, orderOf({}), payer)).toBe('ada')
  })

  test('behavior: an address that was named for the refund counts, then that of the order', () => {
    const order = orderOf({ refundAddress: 'bob' })
    expect(findRecipient(chain, order, payer)).toBe('bob')
    expect(findRecipient(chain, order, { ...payer, sentTo: 'eve' })).toBe('eve')
    expect(findAddressee(chain, order, payer)).toBe('bob')
    expect(findAddressee(chain, orderOf({}), payer)).toBe('ada')
  })

  test("behavior: what was paid on another chain than the order's goes to its payer", () => {
    const order = orderOf({ chain: 'polygon', refundAddress: 'bob' })
    expect(findRecipient(chain, order, payer)).toBe('ada')
  })

  test('behavior: to a contract, only if the order names it as its payer, in any spelling', () => {
    const contract = { ...payer, isContract: true }
    expect(findRecipient(chain, orderOf({}), contract)).toBeUndefined()
    expect(findRecipient(chain, orderOf({ payerAddress: 'BOB' }), contract)).toBeUndefined()
    expect(findRecipient(chain, orderOf({ payerAddress: 'ADA' }), contract)).toBe('ada')
  })
})
