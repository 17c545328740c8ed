import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { EditOrderBody } from '../../src/schema/editOrder.js'
import { nullForLimit } from '../../src/schema/noLimit.js'
import { AllowListProof, SaleRules, SaleRulesChange } from '../../src/schema/saleInput.js'

const faultsOf = (input: unknown, schema: z.ZodMiniType = SaleRules) =>
  z.safeParse(schema, input).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)

const code = { code: 'ABC', percent: '5' }
const [noon, one] = ['2027-01-10T12:00:00Z', '2027-01-10T13:00:00+00:00']

test('default', () => {
  const sale = {
    startsAt: noon,
    endsAt: one,
    phases: [
      { name: 'Members', allowList: { addresses: [`0x${'ab'.repeat(20)}`] }, maxTokens: 5 },
      { name: 'Everyone', startsAt: noon },
    ],
    maxPerBuyer: { wallet: 2 },
    promotionCodes: [
      { code: 'FREE', percent: '100' },
      { code: 'SUMMER-20', percent: '20.5', limit: 3, expiresAt: noon },
      { code: 'less', amount: '0.1' },
    ],
  }
  expect(z.parse(SaleRules, sale)).toEqual(sale)
})

describe('error: a rule that cannot hold names its field', () => {
  const root = `0x${'0'.repeat(64)}`
  test.each([
    [{ startsAt: 'tomorrow' }, 'startsAt: expected an ISO 8601 time'],
    [{ startsAt: one, endsAt: noon }, 'endsAt: expected a time after startsAt'],
    [{ startsAt: noon, endsAt: noon }, 'endsAt: expected a time after startsAt'],
    [{ maxPerBuyer: {} }, 'maxPerBuyer: expected at least one of wallet, email, payer'],
    [{ maxPerBuyer: { wallet: 0 } }, 'maxPerBuyer.wallet: expected 1 or more'],
    [{ promotionCodes: [{ code: 'ABC' }] }, 'promotionCodes.0: expected either percent or amount'],
    [{ promotionCodes: [{ ...code, amount: '1' }] }, 'promotionCodes.0: expected either percent or amount'],
    [
      { promotionCodes: [{ ...code, percent: '100.01' }] },
      'promotionCodes.0.percent: expected more than 0 and at most 100, with at most 2 decimals',
    ],
    [
      { promotionCodes: [{ ...code, percent: '0.00' }] },
      'promotionCodes.0.percent: expected more than 0 and at most 100, with at most 2 decimals',
    ],
    [{ promotionCodes: [{ code: 'ABC', amount: '0' }] }, 'promotionCodes.0.amount: expected more than 0'],
    [
      { promotionCodes: [{ ...code, code: 'A B' }] },
      'promotionCodes.0.code: expected 3 to 40 letters, digits, hyphens or underscores',
    ],
    [
      { promotionCodes: [code, { ...code, code: 'abc' }] },
      'promotionCodes: expected each code once; capital and small letters are the same',
    ],
    [{ phases: [] }, 'phases: expected one phase or more'],
    [
      { phases: [{ name: 'A' }, { name: 'B' }] },
      'phases.1.startsAt: expected a time after the start of the phase before',
    ],
    [
      {
        phases: [
          { name: 'A', startsAt: noon },
          { name: 'B', startsAt: noon },
        ],
      },
      'phases.1.startsAt: expected a time after the start of the phase before',
    ],
    [
      { phases: [{ name: 'A' }, { name: 'A', startsAt: noon }] },
      'phases.1.name: expected a name that no other phase has',
    ],
    [
      { phases: [{ name: 'A', allowList: { merkleRoot: root.slice(1) } }] },
      'phases.0.allowList.merkleRoot: expected 32 bytes in hex, such as a Merkle root',
    ],
  ])('%j', (sale, fault) => {
    expect(faultsOf(sale)).toEqual([fault])
    expect(faultsOf(sale, SaleRulesChange)).toEqual([fault])
  })
})

test('parameters: a change removes rules by null', () => {
  const change = { startsAt: null, endsAt: noon, phases: null, promotionCodes: null }
  expect(z.parse(SaleRulesChange, change)).toEqual(change)
})

describe('error: null is not a limit', () => {
  test.each([
    ['maxPerBuyer', { maxPerBuyer: null }],
    ['maxPerBuyer.wallet', { maxPerBuyer: { wallet: null, email: 2 } }],
    ['promotionCodes.0.limit', { promotionCodes: [{ ...code, limit: null }] }],
    ['phases.0.maxTokens', { phases: [{ name: 'A', maxTokens: null }] }],
  ])('%s', (field, sale) => {
    const fault = `${field}: ${nullForLimit}`
    expect(faultsOf(sale)).toEqual([fault])
    expect(faultsOf(sale, SaleRulesChange)).toEqual([fault])
  })
})

test('parameters: a change removes limits by their name, and new rules have none', () => {
  const change = {
    maxPerBuyer: { wallet: 'unlimited', email: 2 },
    promotionCodes: [{ ...code, limit: 'unlimited' }],
    phases: [{ name: 'A', maxTokens: 'unlimited' }],
  }
  expect(z.parse(SaleRulesChange, change)).toEqual(change)
  expect(faultsOf(change)).toEqual([
    'phases.0.maxTokens: expected a whole number',
    'maxPerBuyer.wallet: expected a whole number',
    'promotionCodes.0.limit: expected a whole number',
  ])
  expect(faultsOf({ maxPerBuyer: { wallet: 'none' } }, SaleRulesChange)).toEqual([
    'maxPerBuyer.wallet: expected a whole number, or "unlimited"',
  ])
})

test('error: a proof of more hashes than any tree has', () => {
  const hash = `0x${'ab'.repeat(32)}`
  expect(faultsOf(new Array(64).fill(hash), AllowListProof)).toBeUndefined()
  expect(faultsOf(new Array(65).fill(hash), AllowListProof)).toEqual([': expected at most 64 hashes'])
})

test('behavior: a code loses the blanks and the invisible characters that were copied with it', () => {
  const codeOf = (code: string) => z.parse(EditOrderBody, { promotionCode: code }).promotionCode
  for (const copied of [
    ' HALF ',
    '\tHALF\n',
    '\u00a0HALF\u3000',
    '\u200bHA\u200bLF\ufeff',
    '\u2060H\u00adALF\u200d',
  ]) {
    expect(codeOf(copied)).toBe('HALF')
    expect(z.parse(SaleRules, { promotionCodes: [{ code: copied, percent: '5' }] })).toEqual({
      promotionCodes: [{ code: 'HALF', percent: '5' }],
    })
  }
  expect(faultsOf({ promotionCodes: [{ code: 'A B', percent: '5' }] })).toHaveLength(1)
})

test('behavior: a change keeps a stored list by its id, and names either it or addresses', () => {
  const listId = '3fa85f64-5717-4562-b3fc-2c963f66afa6'
  const change = (allowList: object) => ({ phases: [{ name: 'A', allowList }] })
  expect(z.parse(SaleRulesChange, change({ listId }))).toEqual(change({ listId }))
  expect(faultsOf(change({}), SaleRulesChange)).toEqual([
    'phases.0.allowList: expected addresses, merkleRoot or listId',
  ])
  expect(faultsOf(change({ listId, addresses: [`0x${'ab'.repeat(20)}`] }), SaleRulesChange)).toEqual([
    'phases.0.allowList: expected either addresses or listId',
  ])
  expect(faultsOf(change({ listId }))).toEqual(['phases.0.allowList: expected addresses or merkleRoot'])
})
