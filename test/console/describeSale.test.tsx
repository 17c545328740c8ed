import { expect, test } from 'vitest'
import { describeSupply } from '../../console/src/lib/describeCollection.js'
import { describeSale } from '../../console/src/lib/describeSale.js'

const payments = { price: '0.04', currency: 'eth' }
const startsAt = '2026-03-01T12:00:00.000Z'

test('default: each rule is said with its numbers', () => {
  const sale = {
    maxPerBuyer: { wallet: 1000, payer: 2 },
    phases: [
      { name: 'Members', allowList: { addressCount: 1200, listId: 'list' }, maxTokens: 1000 },
      { name: 'Friends', allowList: { addressCount: 1, merkleRoot: '0x00' } },
      { name: 'Everyone', startsAt },
    ],
    promotionCodes: [
      { code: 'SPRING', percent: '12.5', limit: 1000 },
      { code: 'AUTUMN', amount: '0.01', expiresAt: startsAt },
    ],
  }
  const { most, phases, codes } = describeSale(sale, { payments })
  expect(most).toEqual(['1,000 per wallet', '2 per payer'])
  expect(phases).toEqual([
    'Members · 1,200 wallets · at most 1,000',
    'Friends · 1 wallet · a Merkle tree of wallets',
    expect.stringMatching(/^Everyone · from .*Mar/),
  ])
  expect(codes).toEqual([
    'SPRING · 12.5 % off · at most 1,000',
    expect.stringMatching(/^AUTUMN · 0\.01 ETH off · until .*Mar/),
  ])
})

test('behavior: a sale without rules of a kind says nothing of it', () => {
  expect(describeSale({}, { payments })).toEqual({ most: [], phases: [], codes: [] })
})

test('behavior: supply has groups of digits', () => {
  const given = { id: '', metadata: {}, onChain: {}, supplyLimit: 1000, supply: { minted: 1, reserved: 0 } }
  expect(describeSupply(given as never)).toBe('1 of 1,000 minted')
})
