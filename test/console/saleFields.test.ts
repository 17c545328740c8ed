import type { Collection } from 'kassa/schema'
import { expect, test } from 'vitest'
import {
  addCode,
  addPhase,
  listSaleChanges,
  readSale,
} from '../../console/src/collections/sale/saleFields.js'

const collectionOf = (sale?: Collection['sale']): Collection => ({
  ...{ id: 'prints', metadata: { name: 'Prints' }, onChain: { chain: 'base-sepolia' } },
  ...(sale && { sale }),
})
const full = collectionOf({
  startsAt: '2027-01-10T12:00:00.000Z',
  endsAt: '2027-01-17T12:00:00.000Z',
  maxPerBuyer: { wallet: 2 },
  phases: [
    { name: 'Members', allowList: { addressCount: 3 }, maxTokens: 50 },
    { name: 'Collectors', startsAt: '2027-01-10T14:00:00.000Z', allowList: { merkleRoot: '0xab' } },
    { name: 'Everyone', startsAt: '2027-01-10T16:00:00.000Z' },
  ],
  promotionCodes: [
    { code: 'SUMMER-20', percent: '20', limit: 100, expiresAt: '2027-01-12T00:00:00.000Z' },
    { code: 'FRIENDS', amount: '0.002' },
  ],
})

test('default: what was not changed is not sent', () => {
  const fields = readSale(full)
  expect(listSaleChanges(fields, fields)).toEqual({})
  expect(listSaleChanges(readSale(collectionOf()), readSale(collectionOf()))).toEqual({})
})

test('behavior: only the rules that were changed are sent, and an emptied one is removed', () => {
  const before = readSale(full)
  expect(listSaleChanges(before, { ...before, endsAt: '' })).toEqual({ endsAt: null })
  expect(listSaleChanges(before, { ...before, phases: [], codes: [] })).toEqual({
    ...{ phases: null, promotionCodes: null },
  })
  const most = { wallet: '', email: ' 3 ', payer: '' }
  expect(listSaleChanges(before, { ...before, most })).toEqual({ maxPerBuyer: { email: 3 } })
  expect(listSaleChanges(before, { ...before, most: { ...most, email: '' } })).toEqual({ maxPerBuyer: null })
})

test('behavior: codes keep what was not changed of them', () => {
  const before = readSale(full)
  const [summer, friends] = before.codes
  if (!summer || !friends) throw new Error('no codes')
  const codes = addCode([summer, { ...friends, off: '5', unit: 'percent' as const }])
  codes[2] = { ...(codes[2] as typeof summer), code: ' NEW ', off: '0.5', unit: 'amount' }
  expect(listSaleChanges(before, { ...before, codes })).toEqual({
    promotionCodes: [
      { code: 'SUMMER-20', percent: '20', limit: 100, expiresAt: '2027-01-12T00:00:00.000Z' },
      { code: 'FRIENDS', percent: '5' },
      { code: 'NEW', amount: '0.5' },
    ],
  })
})

test('behavior: phases are sent with the lists that were entered', () => {
  const before = readSale(full)
  const [members, ...others] = before.phases
  if (!members) throw new Error('no phases')
  const phases = addPhase([{ ...members, addresses: '0x01\n0x02, 0x03\n' }, ...others])
  phases[3] = { ...(phases[3] as typeof members), name: 'Late', startsAt: 'later' }
  expect(new Set(phases.map(({ key }) => key)).size).toBe(4)
  expect(listSaleChanges(before, { ...before, phases })).toEqual({
    phases: [
      { name: 'Members', allowList: { addresses: ['0x01', '0x02', '0x03'] }, maxTokens: 50 },
      { name: 'Collectors', startsAt: '2027-01-10T14:00:00.000Z', allowList: { merkleRoot: '0xab' } },
      { name: 'Everyone', startsAt: '2027-01-10T16:00:00.000Z' },
      { name: 'Late', startsAt: 'later' },
    ],
  })
})

test('behavior: a stored list that is not entered again never opens its phase to everyone', () => {
  const before = readSale(full)
  const phases = before.phases.slice(0, 1).map((phase) => ({ ...phase, name: 'Friends' }))
  expect(listSaleChanges(before, { ...before, phases })).toEqual({
    phases: [{ name: 'Friends', allowList: {}, maxTokens: 50 }],
  })
})
