import { describe, expect, test } from 'vitest'
import type { OrderState } from '../../../src/engine/order/order.js'
import { listPlaces } from '../../../src/engine/order/paymentOptions.js'
import { parseChainAddress } from '../../../src/engine/wallet/parseChainAddress.js'

const evm = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const solana = 'So11111111111111111111111111111111111111112'
const chains = ['base-sepolia', 'base', 'solana'].map((chain) => ({
  chain,
  parseAddress: (text: string) => parseChainAddress(chain, text),
}))
const orderOf = (fields: Partial<OrderState['payment']>): Pick<OrderState, 'payment'> => ({
  payment: {
    chain: 'base-sepolia',
    currency: 'eth',
    decimals: 18,
    status: 'awaiting-payment',
    ...fields,
  },
})
const list = (fields: Partial<OrderState['payment']>, named?: string) =>
  listPlaces(orderOf(fields), chains, named).map(({ port, payer }) => [port.chain, payer])

describe('listPlaces', () => {
  test('default: the chains of the same kind of network', () => {
    expect(list({})).toEqual([
      ['base-sepolia', undefined],
      ['solana', undefined],
    ])
  })

  test("behavior: the order's own payer leaves out no chain, and a named one does", () => {
    expect(list({ payerAddress: evm })).toEqual([
      ['base-sepolia', evm],
      ['solana', undefined],
    ])
    expect(list({ payerAddress: evm }, solana)).toEqual([['solana', solana]])
  })

  test('behavior: the refund address must be one on the chain', () => {
    expect(list({ refundAddress: evm })).toEqual([['base-sepolia', undefined]])
  })

  test('error: a named payer without an address on any of them', () => {
    expect(() => list({}, 'nobody')).toThrow(/^payerAddress: /)
  })
})
