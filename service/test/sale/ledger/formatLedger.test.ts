import { expect, test } from 'vitest'
import { formatLedger, formatLedgerJson } from '#sale/ledger/formatLedger.js'

const usdc = {
  chain: 'base-sepolia',
  currency: 'usdc',
  decimals: 6,
  received: 60_000_001n,
  delivered: 30_000_000n,
  open: 0n,
  refunded: 30_000_000n,
  claimable: 0n,
  owed: 1n,
  swept: 30_000_000n,
  held: 1n,
  difference: 0n,
}
const wrong = { ...usdc, orderId: 'order', open: -1n, held: 3n, difference: 3n }

const coins = { orderId: 'order', chain: 'base-sepolia', currency: 'eth', decimals: 18, units: 4n }
const foreign = { chain: 'base-sepolia', currency: '0xforeign', decimals: 0, units: 5n }
const sweep = {
  id: 'sweep:order',
  chain: 'base-sepolia',
  currency: 'usdc',
  decimals: 6,
  units: 30_000_000n,
  reason: 'Paused()',
  isRetried: true,
}
const back = { ...coins, recipient: '0xada', status: 'sent' as const, txId: '0xtx' }
const gone = { ...coins, payer: '0xbob', txId: '0xgone' }
const nothing = { totals: [], differing: [], unattributedFunds: [], sentBack: [], refused: [], lost: [] }

test('default: a table of exact amounts', () => {
  expect(formatLedger({ ...nothing, totals: [usdc] })).toBe(
    [
      'chain         currency   received  delivered  open  refunded  claimable      owed  swept      held  difference',
      'base-sepolia  usdc      60.000001         30     0        30          0  0.000001     30  0.000001           0',
      '',
    ].join('\n'),
  )
})

test('behavior: the orders that do not add up are named, and so is money of no order', () => {
  const { orderId: _, ...nobodys } = wrong
  const text = formatLedger({ ...nothing, totals: [usdc], differing: [wrong, nobodys] })
  const [title, , ...lines] = text.split('\n\n')[1]?.trimEnd().split('\n') ?? []
  expect(title).toBe('The sums differ for:')
  expect(lines[0]).toMatch(/^order {5}base-sepolia usdc .* -0\.000001 .* 0\.000003 {4}0\.000003$/)
  expect(lines[1]).toMatch(/^no order {2}base-sepolia usdc /)
})

test('behavior: nothing received yet', () => {
  expect(formatLedger(nothing)).toBe('No payments received yet.\n')
})

test('behavior: what came past every way of paying, and what a chain refused, are named', () => {
  const refund = { ...sweep, id: 'refund:order:0', units: 1n, isRetried: false }
  expect(
    formatLedger({
      ...nothing,
      unattributedFunds: [coins, foreign],
      sentBack: [back],
      refused: [sweep, refund],
    }),
  ).toBe(
    [
      'No payments received yet.',
      '',
      'Unattributed funds, still at their deposit addresses:',
      'order     base-sepolia eth        0.000000000000000004',
      'no order  base-sepolia 0xforeign                     5',
      '',
      'Sent back from unattributed funds:',
      'order  base-sepolia eth  0.000000000000000004  0xada  sent  0xtx',
      '',
      'Not paid out yet:',
      'sweep:order     base-sepolia usdc        30  is checked again:  Paused()',
      'refund:order:0  base-sepolia usdc  0.000001  waits for you:     Paused()',
      '',
    ].join('\n'),
  )
})

test('behavior: payments that a deep reorganisation took back name order, chain, amount, payer and transaction', () => {
  expect(formatLedger({ ...nothing, lost: [gone] })).toBe(
    [
      'No payments received yet.',
      '',
      'Taken back by a deep reorganisation:',
      'order  base-sepolia eth  0.000000000000000004  0xbob  0xgone',
      '',
    ].join('\n'),
  )
})

test('parameters: json', () => {
  const amounts = {
    received: '60.000001',
    delivered: '30',
    refunded: '30',
    claimable: '0',
    owed: '0.000001',
    swept: '30',
    chain: 'base-sepolia',
    currency: 'usdc',
  }
  const totals = [{ ...amounts, open: '0', held: '0.000001', difference: '0' }]
  expect(JSON.parse(formatLedgerJson({ ...nothing, totals: [usdc] }))).toEqual({
    isBalanced: true,
    totals,
    differing: [],
    unattributedFunds: [],
    sentBack: [],
    refused: [],
    lost: [],
  })
  expect(
    JSON.parse(
      formatLedgerJson({
        totals: [usdc],
        differing: [wrong],
        unattributedFunds: [coins, foreign],
        sentBack: [back],
        refused: [sweep],
        lost: [gone],
      }),
    ),
  ).toEqual({
    isBalanced: false,
    totals,
    differing: [
      { ...amounts, orderId: 'order', open: '-0.000001', held: '0.000003', difference: '0.000003' },
    ],
    unattributedFunds: [
      { orderId: 'order', chain: 'base-sepolia', currency: 'eth', amount: '0.000000000000000004' },
      { chain: 'base-sepolia', currency: '0xforeign', amount: '5' },
    ],
    sentBack: [
      {
        orderId: 'order',
        chain: 'base-sepolia',
        currency: 'eth',
        amount: '0.000000000000000004',
        recipient: '0xada',
        status: 'sent',
        txId: '0xtx',
      },
    ],
    refused: [
      {
        id: 'sweep:order',
        chain: 'base-sepolia',
        currency: 'usdc',
        amount: '30',
        reason: 'Paused()',
        isRetried: true,
      },
    ],
    lost: [
      {
        orderId: 'order',
        chain: 'base-sepolia',
        currency: 'eth',
        amount: '0.000000000000000004',
        payer: '0xbob',
        txId: '0xgone',
      },
    ],
  })
})
