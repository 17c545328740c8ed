import { expect, test } from 'vitest'
import { formatLedger, formatLedgerJson } from '../../src/ledger/formatLedger.js'

const usdc = {
  ...{ chain: 'base-sepolia', currency: 'usdc', decimals: 6, received: 60_000_001n, delivered: 30_000_000n },
  ...{ open: 0n, refunded: 30_000_000n, owed: 1n, swept: 30_000_000n, held: 1n, difference: 0n },
}
const wrong = { ...usdc, orderId: 'order', open: -1n, held: 3n, difference: 3n }

test('default: a table of exact amounts', () => {
  expect(formatLedger({ totals: [usdc], differing: [] })).toBe(
    [
      'chain         currency   received  delivered  open  refunded      owed  swept      held  difference',
      'base-sepolia  usdc      60.000001         30     0        30  0.000001     30  0.000001           0',
      '',
    ].join('\n'),
  )
})

test('behavior: the orders that do not add up are named, and so is money of no order', () => {
  const { orderId: _, ...nobodys } = wrong
  const text = formatLedger({ totals: [usdc], differing: [wrong, nobodys] })
  const [title, , ...lines] = text.split('\n\n')[1]?.trimEnd().split('\n') ?? []
  expect(title).toBe('Does not add up for:')
  expect(lines[0]).toMatch(/^order {5}base-sepolia usdc .* -0\.000001 .* 0\.000003 {4}0\.000003$/)
  expect(lines[1]).toMatch(/^no order {2}base-sepolia usdc /)
})

test('behavior: nothing received yet', () => {
  expect(formatLedger({ totals: [], differing: [] })).toBe('Nothing was received yet.\n')
})

test('parameters: json', () => {
  const amounts = {
    ...{ received: '60.000001', delivered: '30', refunded: '30', owed: '0.000001', swept: '30' },
    ...{ chain: 'base-sepolia', currency: 'usdc' },
  }
  const totals = [{ ...amounts, open: '0', held: '0.000001', difference: '0' }]
  expect(JSON.parse(formatLedgerJson({ totals: [usdc], differing: [] }))).toEqual({
    isBalanced: true,
    totals,
    differing: [],
  })
  expect(JSON.parse(formatLedgerJson({ totals: [usdc], differing: [wrong] }))).toEqual({
    isBalanced: false,
    totals,
    differing: [
      { ...amounts, orderId: 'order', open: '-0.000001', held: '0.000003', difference: '0.000003' },
    ],
  })
})
