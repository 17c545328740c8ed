import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Known, members, type TransactionStatus } from '../../src/schema/index.js'
import { getTransactionPollInterval } from '../../src/wallet/pollInterval.js'
import { unheardOf } from '../helpers/unheardOf.js'
import { transactionFixture } from '../helpers/walletFixtures.js'

const context = { failures: 0, random: 0.5 }
const of = (status: Known<TransactionStatus>) => transactionFixture('x', { status })

test.each([
  [undefined, 1_000],
  [of('pending'), 1_000],
  [of('awaiting-approval'), 5_000],
  [of('success'), false],
  [of('failed'), false],
  [of(unheardOf('dreaming')), 1_000],
  [{ ...of(unheardOf('dreaming')), completedAt: 1 }, false],
])('default: as often as it deserves', (transaction, expected) => {
  expect(getTransactionPollInterval(transaction, context)).toBe(expected)
})

test('parameters: failures back off, retryAfterMs is obeyed', () => {
  const after = (failures: number, retryAfterMs?: number) =>
    getTransactionPollInterval(of('pending'), { failures, random: 1, retryAfterMs })
  expect([after(1), after(2), after(3), after(50)]).toEqual([2_000, 4_000, 8_000, 60_000])
  expect(after(1, 30_000)).toBe(30_000)
})

test('parameters: isHopeless', () => {
  expect(getTransactionPollInterval(of('pending'), { ...context, isHopeless: true })).toBe(false)
})

test('behavior: never polls more than once a second', () => {
  fc.assert(
    fc.property(
      fc.option(fc.constantFrom(...members.transactionStatuses), { nil: undefined }),
      fc.nat(1_000),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (status, failures, random) => {
        const interval = getTransactionPollInterval(status && of(status), { failures, random })
        expect(interval === false || (interval >= 1_000 && interval <= 60_000)).toBe(true)
      },
    ),
  )
})
