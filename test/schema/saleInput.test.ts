import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { AllowListProof, SaleRules, SaleRulesChange } from '../../src/schema/saleInput.js'

const faultsOf = (input: unknown, schema: z.ZodMiniType = SaleRules) =>
  z.safeParse(schema, input).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)

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
  const code = { code: 'ABC', percent: '5' }
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
    [{ phases: [{ name: 'A', allowList: {} }] }, 'phases.0.allowList: expected addresses or merkleRoot'],
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
  const change = { startsAt: null, endsAt: noon, phases: null, maxPerBuyer: null, promotionCodes: null }
  expect(z.parse(SaleRulesChange, change)).toEqual(change)
})

test('error: a proof of more hashes than any tree has', () => {
  const hash = `0x${'ab'.repeat(32)}`
  expect(faultsOf(new Array(64).fill(hash), AllowListProof)).toBeUndefined()
  expect(faultsOf(new Array(65).fill(hash), AllowListProof)).toEqual([': expected at most 64 hashes'])
})
