import type { Collection } from 'kassa/schema'
import { expect, test } from 'vitest'
import {
  addCode,
  addPhase,
  listSaleChanges,
  readSale,
  type SaleFields,
} from '../../console/src/collections/sale/saleFields.js'
import { fromLocal, toLocal } from '../../console/src/lib/localTime.js'
import { UnreadableFields } from '../../console/src/lib/readFields.js'

const [one, two, three] = ['11', '22', '33'].map((byte) => `0x${byte.repeat(20)}`) as [string, string, string]
const merkleRoot = `0x${'ab'.repeat(32)}`

const collectionOf = (sale?: Collection['sale']): Collection => ({
  id: 'prints',
  metadata: { name: 'Prints' },
  onChain: { chain: 'base-sepolia' },
  ...(sale && { sale }),
})
const full = collectionOf({
  startsAt: '2027-01-10T12:00:00.000Z',
  endsAt: '2027-01-17T12:00:00.000Z',
  maxPerBuyer: { wallet: 2 },
  phases: [
    { name: 'Members', allowList: { addressCount: 3 }, maxTokens: 50 },
    { name: 'Collectors', startsAt: '2027-01-10T14:00:00.000Z', allowList: { merkleRoot } },
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

test('behavior: only the rules that were changed are sent, and those that are switched off are removed', () => {
  const before = readSale(full)
  expect(listSaleChanges(before, { ...before, endsAt: null })).toEqual({ endsAt: null })
  expect(listSaleChanges(before, { ...before, phases: [], codes: [] })).toEqual({
    phases: null,
    promotionCodes: null,
  })
})

test('behavior: only the limits that were changed are sent, and those that are switched off are named', () => {
  const before = readSale(full)
  const change = (most: Partial<SaleFields['most']>) =>
    listSaleChanges(before, { ...before, most: { ...before.most, ...most } })
  expect(change({ email: ' 3 ' })).toEqual({ maxPerBuyer: { email: 3 } })
  expect(change({ wallet: null, payer: '1' })).toEqual({ maxPerBuyer: { wallet: 'unlimited', payer: 1 } })
  expect(change({ wallet: 'unlimited' })).toEqual({ maxPerBuyer: { wallet: 'unlimited' } })
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
  const phases = addPhase([{ ...members, addresses: `${one}\n${two}, ${three}\n` }, ...others])
  phases[3] = {
    ...(phases[3] as typeof members),
    name: 'Late',
    startsAt: toLocal('2027-02-01T10:00:30.000Z'),
  }
  expect(new Set(phases.map(({ key }) => key)).size).toBe(4)
  expect(listSaleChanges(before, { ...before, phases })).toEqual({
    phases: [
      { name: 'Members', allowList: { addresses: [one, two, three] }, maxTokens: 50 },
      { name: 'Collectors', startsAt: '2027-01-10T14:00:00.000Z', allowList: { merkleRoot } },
      { name: 'Everyone', startsAt: '2027-01-10T16:00:00.000Z' },
      { name: 'Late', startsAt: '2027-02-01T10:00:30.000Z' },
    ],
  })
})

/** Returns the problems of fields, by their names. */
const problemsOf = (before: SaleFields, after: SaleFields) => {
  try {
    return listSaleChanges(before, after)
  } catch (error) {
    return error instanceof UnreadableFields ? error.problems : error
  }
}

test('behavior: a changed phase keeps the list that is stored, unless others are entered', () => {
  const listId = '3fa85f64-5717-4562-b3fc-2c963f66afa6'
  const before = readSale(
    collectionOf({ phases: [{ name: 'Members', allowList: { addressCount: 3, listId } }] }),
  )
  const change = (changed: object) =>
    listSaleChanges(before, { ...before, phases: before.phases.map((phase) => ({ ...phase, ...changed })) })
  expect(change({ name: 'Friends' })).toEqual({ phases: [{ name: 'Friends', allowList: { listId } }] })
  expect(change({ addresses: one })).toEqual({
    phases: [{ name: 'Members', allowList: { addresses: [one] } }],
  })
})

test('error: a stored list without an id that is not entered again never opens its phase to everyone, or to no one', () => {
  const before = readSale(full)
  const phases = before.phases.slice(0, 1).map((phase) => ({ ...phase, name: 'Friends' }))
  expect(problemsOf(before, { ...before, phases })).toEqual({
    'phase-0-addresses': 'Enter at least one wallet address.',
  })
})

test('error: every field that cannot be read is named', () => {
  const before = readSale(full)
  const phases = before.phases.map((phase) => ({
    ...phase,
    startsAt: '2027-02-30T10:00',
    addresses: `${one}, 0x12`,
    merkleRoot: '0xab',
    maxTokens: '',
  }))
  const codes = before.codes.map((code) => ({ ...code, off: '101', limit: '2 per person', expiresAt: '' }))
  const after = { ...before, endsAt: '', most: { wallet: '1.000,', email: '0', payer: '' }, phases, codes }
  expect(Object.keys(problemsOf(before, after) as object)).toEqual([
    'most-wallet',
    'most-email',
    'most-payer',
    'endsAt',
    'phase-0-startsAt',
    'phase-0-addresses',
    'phase-0-maxTokens',
    'phase-1-startsAt',
    'phase-1-merkleRoot',
    'phase-1-maxTokens',
    'phase-2-startsAt',
    'phase-2-maxTokens',
    'code-0-off',
    'code-0-limit',
    'code-0-expiresAt',
    'code-1-limit',
    'code-1-expiresAt',
  ])
})

test('behavior: a time keeps its seconds, and one that no clock shows is none', () => {
  const iso = '2027-01-10T12:00:30.500Z'
  expect(fromLocal(toLocal(iso))).toBe(iso)
  expect(toLocal('2027-01-10T12:00:00.000Z')).toHaveLength(16)
  expect(['', 'later', '2027-02-30T10:00', '2027-01-10', '20270-01-10T10:00'].map(fromLocal)).toEqual(
    Array(5).fill(undefined),
  )
})
